/** A condition in SQL. */
export interface TypeOrmCondition {
  /** The SQL for the alias of the entity. TypeORM replaces and quotes properties: `${alias}.title`. */
  readonly sql: (alias: string) => string;
  /** The values of `:name` in the SQL. @default none */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** A condition whose parameter names are unique. */
export interface BoundCondition {
  readonly sql: (alias: string) => string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Returns the condition in parentheses, because it may be `a OR b`, and with unique parameter
 * names, because the query may have other parameters with the same names.
 */
export function uniquelyNamed({ sql, parameters = {} }: TypeOrmCondition): BoundCondition {
  const names = new Map(Object.keys(parameters).map((name) => [name, parameterName()]));
  const renamed = (text: string): string =>
    // Matches parameters as TypeORM does. A second colon before the name is a cast of PostgreSQL.
    text.replace(/(?<!:):(\.\.\.)?([A-Za-z0-9_.]+)/g, (found, spread: string = '', name: string) =>
      names.has(name) ? `:${spread}${names.get(name) as string}` : found,
    );
  return {
    sql: (alias) => `(${renamed(sql(alias))})`,
    parameters: Object.fromEntries([...names].map(([name, own]) => [own, parameters[name]])),
  };
}

/**
 * Returns a unique name, because two `where` may be joined. TypeORM replaces the names before it
 * sends the SQL.
 */
export function parameterName(): string {
  return `fledge_${++named}`;
}
let named = 0;
