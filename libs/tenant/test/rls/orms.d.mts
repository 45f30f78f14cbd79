import type { PGlite } from '@electric-sql/pglite';

export interface Engine {
  readonly url?: string;
  readonly pglite?: PGlite;
}

/** An ORM with the table `note`. What it calls a database or a transaction is `unknown` here. */
export interface Orm {
  readonly db: unknown;
  /** All rows, by the ORM's builder. */
  all(on: unknown): PromiseLike<readonly { readonly text: string }[]>;
  texts(on: unknown): Promise<string[]>;
  insert(on: unknown, tenantId: string, text: string): PromiseLike<unknown>;
  /** Makes the row `A1` another tenant's. */
  move(on: unknown, tenantId: string): PromiseLike<unknown>;
  transaction<R>(run: (tx: unknown) => Promise<R>): Promise<R>;
  nested<R>(tx: unknown, run: (tx: unknown) => Promise<R>): Promise<R>;
  close(): Promise<void>;
}

export type OrmName = 'drizzle' | 'knex' | 'kysely' | 'typeorm';

/** @param onQuery called where a query starts, by Drizzle and Knex: their builders start when awaited */
export declare const openOrm: Record<
  OrmName,
  (engine: Engine, max: number, onQuery?: () => void) => Promise<Orm>
>;
