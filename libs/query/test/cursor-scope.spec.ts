// The cursor of a list or tenant is refused by another one whose sort key has the same name and type.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type DeclaredQueryConfig, InvalidQueryError, parseQuery } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter } from '@fledge/query/kysely';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { mongooseAdapter } from '@fledge/query/mongoose';
import { Cursors, Qs, QueryModule } from '@fledge/query/nest';
import { prismaAdapter } from '@fledge/query/prisma';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import { Controller, Get, Headers, Query } from '@nestjs/common';
import { integer, pgSchema, pgTable, text } from 'drizzle-orm/pg-core';
import { model, Schema } from 'mongoose';
import { DataSource, EntitySchema } from 'typeorm';
import type { KeysetOptions } from '../src/page/keyset-page.js';
import type { AnyParsedQuery, ParsedQuery } from '../src/parse/parsed-query.js';
import { listen, type Running, servers } from './support/servers.js';
import { SqliteDriver } from './support/mikro-sqlite.js';

const secret = 'of this spec alone, and long enough';
const NAMES = { filterable: ['id'], sortable: ['id'] };
const TASKS: DeclaredQueryConfig = {
  columns: { id: 'integer', title: 'string' },
  sortable: { id: 'integer' },
  primaryKey: 'id',
};
const USERS: DeclaredQueryConfig = { ...TASKS, columns: { id: 'integer', name: 'string' } };

type Keyset = (parsed: AnyParsedQuery, options: KeysetOptions) => unknown;

async function keysets(): Promise<Record<string, readonly [Keyset, Keyset]>> {
  const columns = () => ({ id: integer().primaryKey(), title: text() });
  const tables = [pgTable('tasks', columns()), pgSchema('archive').table('tasks', columns())];
  const drizzle = tables.map((table): Keyset => {
    const config = { columns: { id: table.id } };
    return (parsed, options) => drizzleAdapter.buildKeyset(parsed, config, options);
  });
  const source = new DataSource({
    type: 'better-sqlite3',
    database: ':memory:',
    entities: ['Task', 'User'].map(
      (name) =>
        new EntitySchema<{ id: number }>({
          name,
          columns: { id: { type: 'integer', primary: true } },
        }),
    ),
  });
  await source.initialize();
  const typeOrm = ['Task', 'User'].map(
    (name): Keyset =>
      (parsed, options) =>
        typeOrmAdapter(source.getRepository<{ id: number }>(name)).buildKeyset(
          parsed,
          NAMES,
          options,
        ),
  );
  await source.destroy();
  const orm = await MikroORM.init({
    driver: SqliteDriver,
    dbName: ':memory:',
    entities: ['Task', 'User'].map(
      (name) =>
        new MikroSchema<{ id: number }>({
          name,
          properties: { id: { type: 'integer', primary: true } },
        }),
    ),
  });
  const em = orm.em.fork();
  const mikroOrm = ['Task', 'User'].map(
    (name): Keyset =>
      (parsed, options) =>
        mikroOrmAdapter<{ id: number }>(em.getRepository<{ id: number }>(name)).buildKeyset(
          parsed,
          NAMES,
          options,
        ),
  );
  await orm.close();
  const mongoose = ['CursorTask', 'CursorUser'].map((name): Keyset => {
    const Model = model(name, new Schema({ id: { type: Number, required: true } }, { id: false }));
    return (parsed, options) => mongooseAdapter(Model).buildKeyset(parsed, NAMES, options);
  });
  const declared = [TASKS, USERS];
  return {
    drizzle: drizzle as [Keyset, Keyset],
    typeOrm: typeOrm as [Keyset, Keyset],
    mikroOrm: mikroOrm as [Keyset, Keyset],
    mongoose: mongoose as [Keyset, Keyset],
    kysely: declared.map(
      (config): Keyset =>
        (parsed, options) =>
          kyselyAdapter.buildKeyset(parsed, config, options),
    ) as [Keyset, Keyset],
    knex: declared.map(
      (config): Keyset =>
        (parsed, options) =>
          knexAdapter.buildKeyset(parsed, config, options),
    ) as [Keyset, Keyset],
    prisma: declared.map(
      (config): Keyset =>
        (parsed, options) =>
          prismaAdapter.buildKeyset(parsed, { ...config, provider: 'postgresql' }, options),
    ) as [Keyset, Keyset],
  };
}

describe('a cursor', () => {
  let lists: Record<string, readonly [Keyset, Keyset]> = {};
  beforeAll(async () => {
    lists = await keysets();
  });
  const parsed = parseQuery({ sort: 'id:asc' }, NAMES);
  const cursorOf = (list: Keyset, options: Partial<KeysetOptions> = {}) =>
    (list(parsed, { secret, ...options }) as { cursorOf(row: object): string }).cursorOf({
      _id: '64f000000000000000000000',
      id: 7,
    });

  it.each(['drizzle', 'typeOrm', 'mikroOrm', 'mongoose', 'kysely', 'knex', 'prisma'])(
    'of %s is refused by another list, and accepted by its own',
    (name) => {
      const [tasks, others] = lists[name] as readonly [Keyset, Keyset];
      const after = cursorOf(tasks);
      expect(() => tasks(parsed, { secret, after })).not.toThrow();
      expect(() => others(parsed, { secret, after })).toThrow(InvalidQueryError);
    },
  );

  it.each(['drizzle', 'typeOrm', 'mikroOrm', 'mongoose', 'kysely', 'knex', 'prisma'])(
    'of %s is refused in another scope, and accepted with other filters',
    (name) => {
      const [tasks] = lists[name] as readonly [Keyset, Keyset];
      const after = cursorOf(tasks, { scope: ['tasks', 'acme'] });
      const scope = ['tasks', 'acme'];
      const filtered = parseQuery({ sort: 'id:asc', filter: 'id:gt:3' }, NAMES);
      expect(() => tasks(filtered, { secret, after, scope })).not.toThrow();
      expect(() => tasks(parsed, { secret, after, scope: ['tasks', 'globex'] })).toThrow(
        InvalidQueryError,
      );
      expect(() => tasks(parsed, { secret, after })).toThrow(InvalidQueryError);
    },
  );

  it('requires a secret in every adapter', () => {
    for (const [tasks] of Object.values(lists)) {
      expect(() => cursorOf(tasks, { secret: undefined as unknown as string })).toThrow(
        'The cursor secret is missing.',
      );
    }
  });
});

const tenants = new AsyncLocalStorage<string>();
const LIST = { columns: TASKS.columns, sortable: TASKS.columns, primaryKey: 'id' } as const;

@Controller()
class TasksController {
  constructor(private readonly cursors: Cursors) {}

  @Get('tasks')
  list(
    @Headers('x-tenant-id') tenant: string,
    @Qs(LIST) query: ParsedQuery<typeof LIST>,
    @Query('after') after?: string,
  ) {
    return tenants.run(tenant, () => {
      const page = kyselyAdapter.buildKeyset(query, LIST, this.cursors.for(after ? { after } : {}));
      return { next: page.cursorOf({ id: 7 }) };
    });
  }

  @Get('archive')
  archive(@Qs(LIST) query: ParsedQuery<typeof LIST>, @Query('after') after?: string) {
    const page = kyselyAdapter.buildKeyset(
      query,
      LIST,
      this.cursors.for(after ? { after } : {}, 'archive'),
    );
    return { next: page.cursorOf({ id: 7 }) };
  }
}

describe.each(servers)('cursors of QueryModule on $name', (server) => {
  let running: Running;
  const old = 'the secret of last year';
  beforeAll(async () => {
    const cursors = { secret: [secret, old], scope: () => tenants.getStore() } as const;
    running = await listen(server, {
      imports: [QueryModule.forRoot({ cursors })],
      controllers: [TasksController],
    });
  });
  afterAll(() => running.close());
  const get = async (path: string, tenant: string) => {
    const answer = await fetch(`${await running.app.getUrl()}${path}`, {
      headers: { 'x-tenant-id': tenant },
    });
    return [answer.status, ((await answer.json()) as { next?: string }).next] as const;
  };

  it('are accepted for their tenant and list only', async () => {
    const [status, next = ''] = await get('/tasks', 'acme');
    expect([status, next]).toEqual([200, expect.any(String)]);
    expect(await get(`/tasks?after=${next}`, 'acme')).toEqual([200, next]);
    expect((await get(`/tasks?after=${next}`, 'globex'))[0]).toBe(400);
    expect((await get(`/archive?after=${next}`, 'acme'))[0]).toBe(400);
    expect((await get(`/tasks?after=${next}x`, 'acme'))[0]).toBe(400);
  });
});

it.each([undefined, '', 'short', []])('QueryModule with the secret %j does not boot', (given) =>
  expect(
    listen(servers[0] as (typeof servers)[0], {
      imports: [QueryModule.forRoot({ cursors: { secret: given as string } })],
    }),
  ).rejects.toMatchObject({ code: 'QUERY_INVALID_CONFIG' }),
);

it.each<[unknown, string]>([
  [7, '7'],
  [true, 'true'],
  [['acme'], '[Array]'],
  [{ id: 'acme' }, '[Object]'],
  [Promise.resolve('acme'), '[Promise]'],
])('Cursors shows the wrong scope %p in the error', async (scope, shown) => {
  const cursors = { secret, scope: () => scope as string };
  const running = await listen(servers[0] as (typeof servers)[0], {
    imports: [QueryModule.forRoot({ cursors })],
  });
  expect(() => running.app.get(Cursors).for({})).toThrow(
    `\`cursors.scope\` of QueryModule returned ${shown}, but must return a string or undefined.`,
  );
  await running.close();
});

it.each<[unknown, string]>([
  [7, 'The cursor option `scope` is 7, but must be a string or a list of strings.'],
  [['acme', 7], 'The cursor option `scope[1]` is 7, but must be a string.'],
])('an adapter shows the wrong scope %j in the error', (scope, message) => {
  const options = { secret, scope: scope as string };
  expect(() => kyselyAdapter.buildKeyset(parseQuery({}), TASKS, options)).toThrow(message);
});

it('Cursors without the option names it in the error', async () => {
  const running = await listen(servers[0] as (typeof servers)[0], {
    imports: [QueryModule.forRoot()],
  });
  expect(() => running.app.get(Cursors).for({})).toThrow(
    'QueryModule.forRoot({ cursors: { secret } })',
  );
  await running.close();
});
