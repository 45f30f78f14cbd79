import { randomBytes } from 'node:crypto';
import * as sqlite from '@mikro-orm/better-sqlite';
import {
  Collection,
  type Cursor,
  EntitySchema,
  type FindByCursorOptions,
  MikroORM,
  type Opt,
  type Options,
} from '@mikro-orm/core';
import { PostgreSqlDriver, type SqlEntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { guardTenants, type GuardTenantsOptions } from '@fledge/tenant/mikro-orm';

export class Folder {
  id!: number;
  tenantId!: Opt<string>;
  name!: string;
  notes = new Collection<Note>(this);
  tags = new Collection<Tag>(this);
}

export class Note {
  id!: number;
  tenantId!: Opt<string>;
  text!: string;
  folder?: Folder | null;
}

/** Linked to folders by a table. */
export class Tag {
  id!: number;
  tenantId!: Opt<string>;
  name!: string;
  folders = new Collection<Folder>(this);
}

/** Belongs to no tenant, but notes of tenants name it. */
export class Country {
  code!: string;
  name!: string;
  capital?: Note | null;
}

const id = { type: 'integer', primary: true, autoincrement: true } as const;
const tenantId = { type: 'text', fieldName: 'tenant_id' } as const;

export const entities = () => [
  new EntitySchema<Folder>({
    class: Folder,
    properties: {
      id,
      tenantId,
      name: { type: 'text' },
      notes: { kind: '1:m', entity: () => Note, mappedBy: 'folder' },
      tags: { kind: 'm:n', entity: () => Tag, inversedBy: 'folders', owner: true },
    },
  }),
  new EntitySchema<Note>({
    class: Note,
    properties: {
      id,
      tenantId,
      text: { type: 'text' },
      folder: { kind: 'm:1', entity: () => Folder, nullable: true },
    },
  }),
  new EntitySchema<Tag>({
    class: Tag,
    properties: {
      id,
      tenantId,
      name: { type: 'text' },
      folders: { kind: 'm:n', entity: () => Folder, mappedBy: 'tags' },
    },
  }),
  new EntitySchema<Country>({
    class: Country,
    properties: {
      code: { type: 'text', primary: true },
      name: { type: 'text' },
      capital: { kind: 'm:1', entity: () => Note, nullable: true },
    },
  }),
];

export const MIKRO_ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type MikroEngine = (typeof MIKRO_ENGINES)[number];

/** The driver of better-sqlite3. In MikroORM 7 it is in `@mikro-orm/sqlite`, under another name. */
export const SqliteDriver =
  (sqlite as Partial<typeof sqlite>).BetterSqliteDriver ??
  (sqlite as unknown as { SqliteDriver: typeof sqlite.BetterSqliteDriver }).SqliteDriver;

/** Which version the specs run with: scripts/peers.mjs, and ../processes/mikro-orm-7.spec.ts, put 7 in the place of 6. */
export const IS_MIKRO_7 = !('BetterSqliteDriver' in sqlite);

export interface OpenedMikro {
  readonly orm: MikroORM;
  readonly em: SqlEntityManager;
  /** Reads or writes around the guard. */
  readonly sql: <Row = Record<string, unknown>>(text: string) => Promise<Row[]>;
  /** Puts the rows back. A note of b and a tag of b are in the folder of a; the country's capital is a note of b. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const ROWS = [
  `insert into folder (id, tenant_id, name) values (1, 'a', 'of A'), (2, 'b', 'of B')`,
  `insert into note (id, tenant_id, text, folder_id) values (1, 'a', 'A1', 1), (2, 'b', 'B1', 2), (3, 'b', 'B2', 1)`,
  `insert into tag (id, tenant_id, name) values (1, 'a', 'tag of A'), (2, 'b', 'tag of B')`,
  `insert into folder_tags (folder_id, tag_id) values (1, 1), (1, 2), (2, 2)`,
  `insert into country (code, name, capital_id) values ('no', 'Norway', 2)`,
];
const TABLES = ['country', 'folder_tags', 'note', 'tag', 'folder'];

export async function openMikro(
  engine: MikroEngine,
  { config = {}, guard }: { config?: Options; guard?: GuardTenantsOptions } = {},
): Promise<OpenedMikro> {
  const { options, drop } = await engines[engine]();
  const orm = await MikroORM.init(
    guardTenants({ ...options, entities: entities(), ...config }, { shared: [Country], ...guard }),
  );
  const connection = orm.em.getConnection();
  const sql = <Row>(text: string) => connection.execute(text) as unknown as Promise<Row[]>;
  await createSchema(orm);
  return {
    orm,
    em: orm.em as unknown as SqlEntityManager,
    sql,
    async reset() {
      for (const table of TABLES) await sql(`delete from ${table}`);
      for (const row of ROWS) await sql(row);
      if (engine === 'PostgreSQL') {
        for (const table of ['note', 'folder', 'tag']) {
          await sql(`alter sequence ${table}_id_seq restart with 100`);
        }
      }
    },
    async close() {
      await orm.close(true);
      await drop();
    },
  };
}

/** A query as a value in a condition of another one. MikroORM 7 takes the QueryBuilder. */
export function asValue(query: { getKnexQuery(): object }): never {
  return (IS_MIKRO_7 ? query : query.getKnexQuery()) as never;
}

/** The first page of notes. */
export function pageOf(em: SqlEntityManager, options: CursorOptions): Promise<Cursor<Note>> {
  return IS_MIKRO_7
    ? (em as unknown as Pages).findByCursor(Note, options)
    : em.findByCursor(Note, {}, options);
}

interface Pages {
  findByCursor(entity: typeof Note, options: CursorOptions): Promise<Cursor<Note>>;
}

type CursorOptions = Pick<FindByCursorOptions<Note>, 'first' | 'orderBy'>;

/** A query around the guard: of Knex or, in MikroORM 7, of its own. */
export function unguarded(em: SqlEntityManager, table: string, column: string): never {
  if (!IS_MIKRO_7) return em.getConnection().getKnex()(table).select(column) as never;
  const platform = em.getPlatform() as unknown as { createNativeQueryBuilder(): Native };
  return platform.createNativeQueryBuilder().select(column).from(table) as never;
}

interface Native {
  select(column: string): Native;
  from(table: string): Native;
}

/** Reads a column around the guard by the query builder below MikroORM: Knex, or Kysely in MikroORM 7. */
export function readColumn(em: SqlEntityManager, table: string, column: string): Promise<unknown> {
  if (!IS_MIKRO_7) return Promise.resolve(em.getConnection().getKnex()(table).select(column));
  return kyselyOf(em).selectFrom(table).select(column).execute();
}

/** What MikroORM 7 runs its queries with. */
export function kyselyOf(em: SqlEntityManager): Kysely {
  return (em.getConnection() as unknown as { getClient(): Kysely }).getClient();
}

/** Reads notes by a query to which a caller added a condition after the guard. */
export function readWidened(em: SqlEntityManager): Promise<unknown> {
  if (!IS_MIKRO_7) {
    return Promise.resolve(em.qb(Note).select('*').getKnexQuery().orWhereRaw('1 = 1'));
  }
  const query = em.qb(Note).select('*') as unknown as { getNativeQuery(): Built };
  const { sql, params } = query.getNativeQuery().where('1 = 1', []).compile();
  return em.getConnection().execute(sql, params);
}

interface Built {
  where(sql: string, params: unknown[]): Built;
  compile(): { sql: string; params: unknown[] };
}

interface Kysely {
  selectFrom(table: string): { select(column: string): { execute(): Promise<unknown> } };
}

/** MikroORM 7 renamed the method to `create`. */
async function createSchema({ schema }: MikroORM): Promise<void> {
  const { create = () => schema.createSchema() } = schema as { create?: () => Promise<void> };
  await create.call(schema);
}

const engines = {
  SQLite: () =>
    Promise.resolve({
      options: { driver: SqliteDriver, dbName: ':memory:' } satisfies Options,
      drop: () => Promise.resolve(),
    }),
  async PostgreSQL() {
    const url = new URL(process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test');
    const server = new pg.Client({ connectionString: url.href });
    await server.connect();
    const database = `fledge_mikro_${randomBytes(6).toString('hex')}`;
    await server.query(`create database ${database}`);
    url.pathname = `/${database}`;
    return {
      options: {
        driver: PostgreSqlDriver,
        clientUrl: url.href,
        pool: { min: 0, max: 2 },
      } as Options,
      async drop() {
        await server.query(`drop database ${database}`);
        await server.end();
      },
    };
  },
};
