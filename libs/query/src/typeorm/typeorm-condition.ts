/** A condition in SQL. */
export interface TypeOrmCondition {
  /**
   * Returns the SQL for an alias of the entity. TypeORM quotes property names and replaces them by
   * column names: `${alias}.title`.
   */
  readonly sql: (alias: string) => string;
  /** The values of parameters, such as `:name`, in the SQL. @default none */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
}

/** A condition with unique parameter names. */
export type BoundCondition = Required<TypeOrmCondition>;

/**
 * Returns the condition in parentheses, because it may be `a OR b`. Its parameter names become
 * unique, because the query may have parameters with the same names.
 */
export function uniquelyNamed({ sql, parameters = {} }: TypeOrmCondition): BoundCondition {
  const names = new Map(Object.keys(parameters).map((name) => [name, parameterName()]));
  const renamed = (text: string): string =>
    // Matches parameters like TypeORM. Two colons before a name are a cast in PostgreSQL.
    text.replace(/(?<!:):(\.\.\.)?([A-Za-z0-9_.]+)/g, (found, spread: string = '', name: string) =>
      names.has(name) ? `:${spread}${names.get(name) as string}` : found,
    );
  return {
    sql: (alias) => `(${renamed(sql(alias))})`,
    parameters: Object.fromEntries([...names].map(([name, own]) => [own, parameters[name]])),
  };
}

/** Unique, because two `where` may be combined. TypeORM replaces the names in the SQL. */
export function parameterName(): string {
  return `fledge_${++named}`;
}
let named = 0;
