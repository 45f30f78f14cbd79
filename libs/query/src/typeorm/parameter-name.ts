/** Unique, because two `where` may be joined. TypeORM replaces the names before it sends the SQL. */
export function parameterName(): string {
  return `fledge_${++named}`;
}
let named = 0;
