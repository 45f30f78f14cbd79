import { RlsQueryError } from './rls.errors.js';

/** A row. The keys are column names. */
export type RlsRow = Readonly<Record<string, unknown>>;

/**
 * Sends one statement to PostgreSQL. The placeholders of its parameters are `$1`, `$2` and so on.
 */
export type RlsQuery = (sql: string, params: readonly string[]) => Promise<readonly RlsRow[]>;

// Each ORM's type contains only the method that is called, so no ORM has to be installed. A
// parameter of type `never` accepts any method.

/** Sends statements through a Drizzle database or transaction. */
export function drizzleQuery(db: { execute(query: never): PromiseLike<unknown> }): RlsQuery {
  return async (text, params) => {
    const { sql } = await import('drizzle-orm');
    const parts = partsOf(text).map((part) =>
      typeof part === 'string' ? sql.raw(part) : sql.param(params[part]),
    );
    return readRows(await db.execute(sql.join(parts) as never));
  };
}

/** Sends statements through Knex or a Knex transaction. */
export function knexQuery(db: {
  raw(sql: string, bindings: never): PromiseLike<unknown>;
}): RlsQuery {
  return async (text, params) => {
    const parts = partsOf(text);
    const sql = parts.map((part) => (typeof part === 'string' ? part : '?')).join('');
    const bindings = parts.flatMap((part) => (typeof part === 'string' ? [] : [params[part]]));
    return readRows(await db.raw(sql, bindings as never));
  };
}

/** Sends statements through a Kysely database or transaction. */
export function kyselyQuery(db: { executeQuery(query: never): PromiseLike<unknown> }): RlsQuery {
  return async (text, params) => {
    const { CompiledQuery } = await import('kysely');
    return readRows(await db.executeQuery(CompiledQuery.raw(text, [...params]) as never));
  };
}

/**
 * Sends statements through node-postgres (a pool or client), PGlite, or another object with a
 * compatible method `query()`.
 */
export function pgQuery(client: {
  query(sql: string, params: never): PromiseLike<unknown>;
}): RlsQuery {
  return async (text, params) => readRows(await client.query(text, [...params] as never));
}

/**
 * Sends statements through a Prisma client, or through the client of an interactive transaction.
 */
export function prismaQuery(client: {
  $queryRawUnsafe(sql: string, ...params: never[]): PromiseLike<unknown>;
}): RlsQuery {
  return async (text, params) =>
    readRows(await client.$queryRawUnsafe(text, ...(params as readonly never[])));
}

/** Sends statements through a TypeORM data source, entity manager or query runner. */
export function typeormQuery(manager: {
  query(sql: string, params: never): PromiseLike<unknown>;
}): RlsQuery {
  return pgQuery(manager);
}

/** @throws RlsQueryError if the result is neither an array nor an object with `rows` */
export function readRows(answer: unknown): readonly RlsRow[] {
  const rows = Array.isArray(answer) ? answer : (answer as { rows?: unknown } | null)?.rows;
  if (!Array.isArray(rows)) throw new RlsQueryError(answer);
  return rows as RlsRow[];
}

/** Splits a statement into texts and parameters. A parameter is represented by its index. */
function partsOf(text: string): (string | number)[] {
  return text.split(/\$(\d+)/).map((part, i) => (i % 2 === 0 ? part : Number(part) - 1));
}
