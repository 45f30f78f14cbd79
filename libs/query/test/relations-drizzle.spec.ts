import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { InvalidQueryConfigError, parseQuery } from '@fledge/query';
import { describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { eq } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import { alias, type PgDatabase, type PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { pageOf } from './support/cursors.js';
import { describeRelations } from './support/related.js';
import { CASED, drizzleRelated } from './support/related-drizzle.js';
import { openRelated, type RelatedPlace } from './support/related-tables.js';

type Db = PgDatabase<PgQueryResultHKT, ReturnType<typeof drizzleRelated>['schema']>;

// The databases of all dialects have the methods used here, but their types are unrelated.
function databaseOf(
  { dialect, url }: RelatedPlace,
  schema: Record<string, unknown>,
): { db: Db; close(): unknown } {
  switch (dialect) {
    case 'postgres': {
      const client = new pg.Pool({ connectionString: url });
      return { db: onPostgres({ client, schema }) as unknown as Db, close: () => client.end() };
    }
    case 'mariadb': {
      const client = createPool({ uri: url });
      const db = onMysql({ client, schema, mode: 'default' });
      return { db: db as unknown as Db, close: () => client.end() };
    }
    case 'sqlite': {
      const client = new Sqlite(url);
      return { db: onSqlite({ client, schema }) as unknown as Db, close: () => client.close() };
    }
  }
}

async function open(dialect: RelatedPlace['dialect']) {
  const place = await openRelated(dialect);
  if (!place) return undefined;
  const { tasks, config, schema } = drizzleRelated(place);
  const { db, close } = databaseOf(place, schema);
  return {
    db,
    tasks,
    config,
    async close() {
      await close();
      await place.close();
    },
  };
}

for (const dialect of ['sqlite', 'postgres', 'mariadb'] as const) {
  describeRelations(
    `select() of Drizzle on ${dialect}`,
    async () => {
      const opened = await open(dialect);
      if (!opened) return undefined;
      const { db, tasks, config, close } = opened;
      return {
        async find(parsed) {
          const { where, orderBy, limit, offset } = drizzleAdapter.build(parsed, config);
          const page = db.select({ id: tasks.id }).from(tasks).where(where);
          const rows = await page
            .orderBy(...orderBy)
            .limit(limit)
            .offset(offset);
          return { ids: rows.map(({ id }) => id), total: await db.$count(tasks, where) };
        },
        async page(parsed, options) {
          const query = drizzleAdapter.buildKeyset(parsed, config, options);
          const page = db.select().from(tasks).where(query.where);
          const rows = await page.orderBy(...query.orderBy).limit(query.limit);
          return pageOf(rows, query.cursorOf);
        },
        close,
      };
    },
    { sorts: false },
  );

  describeRelations(
    `a relational query of Drizzle on ${dialect}`,
    async () => {
      const opened = await open(dialect);
      if (!opened) return undefined;
      const { db, tasks, config, close } = opened;
      // A relational query with relations needs LATERAL, which MariaDB lacks.
      const include = dialect === 'mariadb' ? undefined : { owner: true as const };
      return {
        async find(parsed) {
          const query = drizzleAdapter.build(parsed, config);
          const rows = await db.query.tasks.findMany({
            ...query,
            with: include as { owner: true },
          });
          return { ids: rows.map(({ id }) => id), total: await db.$count(tasks, query.where) };
        },
        async page(parsed, options) {
          const query = drizzleAdapter.buildKeyset(parsed, config, options);
          const { where, orderBy, limit } = query;
          const rows = await db.query.tasks.findMany({ where, orderBy, limit });
          return pageOf(rows, query.cursorOf);
        },
        close,
      };
    },
    { sorts: false },
  );
}

describe('relations of Drizzle', () => {
  const { users, todos } = CASED;
  const OWNER = { table: users, on: { userId: todos.ownerId } };
  const client = new pg.Pool();
  const db = onPostgres({ client, schema: CASED, casing: 'snake_case' });

  it('follow the casing of the database', () => {
    const config = {
      columns: { 'owner.name': users.fullName },
      sortable: {},
      relations: { owner: OWNER },
    } satisfies DrizzleQueryConfig;
    const { where } = drizzleAdapter.build(parseQuery({ filter: 'owner.name:eq:Ann' }), config);
    const exists = (table: string) =>
      `exists (select 1 from "users" as "fledge_owner" where "fledge_owner"."user_id" = ` +
      `"${table}"."owner_id" and "fledge_owner"."full_name" = $1)`;
    expect(db.select().from(todos).where(where).toSQL().sql).toContain(exists('todos'));
    expect(db.query.todos.findMany({ where }).toSQL().sql).toContain(exists('todos'));
  });

  it('order by a joined table if the caller joins it', () => {
    const config = {
      columns: { id: todos.id, 'owner.name': users.fullName },
      sortable: { 'owner.name': { column: users.fullName, nullable: true }, id: todos.id },
      primaryKey: todos.id,
      relations: { owner: OWNER },
    } satisfies DrizzleQueryConfig;
    const wire = { filter: 'owner.name:eq:Ann', sort: 'owner.name:asc' };
    const { where, orderBy } = drizzleAdapter.build(parseQuery(wire, config), config);
    const page = db.select().from(todos).leftJoin(users, eq(users.userId, todos.ownerId));
    expect(
      page
        .where(where)
        .orderBy(...orderBy)
        .toSQL().sql,
    ).toContain(
      '"fledge_owner"."full_name" = $1) order by "users"."full_name" asc, "todos"."id" asc',
    );
  });

  it.each<[string, DrizzleQueryConfig, string]>([
    [
      'a sort key of a related row',
      { columns: { id: todos.id, 'owner.name': users.fullName }, relations: { owner: OWNER } },
      'Field "owner.name" is sortable, but the Drizzle adapter cannot sort by a related row. ' +
        'Set `sortable` to the other fields. To sort by this field, join the table "users" in your query',
    ],
    [
      'a column of another table',
      { columns: { 'owner.name': todos.id }, sortable: {}, relations: { owner: OWNER } },
      '`columns.owner.name` of a Drizzle query config is a column of the table "todos", but must be a column of the relation "owner".',
    ],
    [
      'an unknown relation',
      { columns: { name: { column: users.fullName, relation: 'user' } }, relations: {} },
      'Field "name" has the relation "user"',
    ],
    [
      'a property that the table lacks',
      { columns: {}, relations: { owner: { table: users, on: { id: todos.ownerId } } } },
      'The entry "id" in `on` of relation "owner" is not a pair of columns. ' +
        'Map a property of the related table to a column of the listed table.',
    ],
    [
      'a column of a table that is not in between',
      {
        columns: {},
        relations: { owner: { ...OWNER, through: { table: users, on: { userId: todos.id } } } },
      },
      'Map a property of the related table to a column of the table "users".',
    ],
    [
      'no table',
      { columns: {}, relations: { owner: { on: {} } as unknown as typeof OWNER } },
      'Relation "owner" has no `table`.',
    ],
    [
      'an alias',
      {
        columns: { 'owner.name': alias(users, 'owner').fullName },
        sortable: {},
        relations: { owner: { table: alias(users, 'owner'), on: { userId: todos.ownerId } } },
      },
      'The `table` of relation "owner" is an alias. Use the table itself and its columns.',
    ],
    [
      'no columns',
      { columns: {}, relations: { owner: { table: users, on: {} } } },
      'Relation "owner" has no columns in `on`.',
    ],
  ])('%s is refused at boot', (_, config, fact) => {
    expect(() => drizzleAdapter.check(config)).toThrow(InvalidQueryConfigError);
    expect(() => drizzleAdapter.check(config)).toThrow(fact);
  });
});
