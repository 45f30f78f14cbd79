import { randomBytes } from 'node:crypto';
import * as sqlite from '@mikro-orm/better-sqlite';
import { Collection, EntitySchema, MikroORM, type Opt, type Options } from '@mikro-orm/core';
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

/** The driver of better-sqlite3. */
export const SqliteDriver = sqlite.BetterSqliteDriver;

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
  await orm.schema.createSchema();
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
