// A database for each tenant, in an application of the built package, by one ORM after the other.
// Prints one line of JSON: what connections.spec.ts expects.
import 'reflect-metadata';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ClsPluginTransactional, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterDrizzleOrm } from '@nestjs-cls/transactional-adapter-drizzle-orm';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Controller, Get, Inject, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { drizzle } from 'drizzle-orm/node-postgres';
import knex from 'knex';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import { ClsModule } from 'nestjs-cls';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Tenancy, TenantModule } from '@fledge/tenant';
import { TenantConnectionsModule } from '@fledge/tenant/connections';
import {
  TransactionalAdapterKnex,
  TransactionalAdapterKysely,
} from '../rls/transactional-adapters.mjs';

// The database of a tenant is the url with the tenant behind it.
const [, , platform, url] = process.argv;
const DB = Symbol('db');
const MAX = 4;

/** Between the slow route and the flow that waits until it has begun. */
const turns = new EventEmitter();

const orms = {
  drizzle: {
    create: async (url) => drizzle(new pg.Pool({ connectionString: url, max: MAX })),
    dispose: (db) => db.$client.end(),
    adapter: () => new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: DB }),
    query: async (tx, sql) => (await tx.execute(sql)).rows,
  },
  typeorm: {
    create: (url) => new DataSource({ type: 'postgres', url, poolSize: MAX }).initialize(),
    dispose: (dataSource) => dataSource.destroy(),
    adapter: () => new TransactionalAdapterTypeOrm({ dataSourceToken: DB }),
    query: (tx, sql) => tx.query(sql),
  },
  knex: {
    type: 'function',
    create: (url) => knex({ client: 'pg', connection: url, pool: { min: 0, max: MAX } }),
    dispose: (db) => db.destroy(),
    adapter: () => new TransactionalAdapterKnex({ knexInstanceToken: DB }),
    query: async (tx, sql) => (await tx.raw(sql)).rows,
  },
  kysely: {
    create: (url) => {
      const pool = new pg.Pool({ connectionString: url, max: MAX });
      return new Kysely({ dialect: new PostgresDialect({ pool }) });
    },
    dispose: (db) => db.destroy(),
    adapter: () => new TransactionalAdapterKysely({ kyselyInstanceToken: DB }),
    query: async (tx, sql) => (await tx.executeQuery(CompiledQuery.raw(sql))).rows,
  },
};

/** How a service looks that runs in transactions, whichever ORM it is. */
function controllerOf(ask) {
  class NotesController {
    /** Whose database it is, and what is in it. */
    async read() {
      const [{ tenant }] = await ask('select tenant from whose');
      const notes = await ask('select text from note order by text');
      return [tenant, ...notes.map(({ text }) => text)].join();
    }

    async add(text) {
      await setTimeout(Math.random() * 5);
      await ask(`insert into note values ('${text}')`);
      const [{ tenant }] = await ask('select tenant from whose');
      return { tenant };
    }

    async undo(text) {
      await this.add(text);
      throw new Error('undone');
    }

    async around(text) {
      await this.add(text);
      const inside = await this.tenancy.run('b', () => this.read());
      const failed = await this.tenancy.run('b', () => this.undo(text)).catch((e) => e.message);
      return [await this.read(), inside, failed, await this.tenancy.run('b', () => this.read())];
    }

    async slow(text) {
      await this.add(text);
      turns.emit('inside');
      await once(turns, 'go on');
      return { read: await this.read() };
    }
  }
  const decorate = (method, ...decorators) => {
    const descriptor = Object.getOwnPropertyDescriptor(NotesController.prototype, method);
    const decorated = Reflect.decorate(decorators, NotesController.prototype, method, descriptor);
    Object.defineProperty(NotesController.prototype, method, decorated);
    if (method !== 'read') Param('text')(NotesController.prototype, method, 0);
  };
  decorate('read', Get(), Transactional());
  for (const method of ['add', 'undo', 'around', 'slow']) {
    decorate(method, Post(`${method}/:text`), Transactional());
  }
  Inject(Tenancy)(NotesController.prototype, 'tenancy');
  Controller('notes')(NotesController);
  return NotesController;
}

async function open(orm, options = {}) {
  const { create, dispose, adapter, query, type } = orms[orm];
  const [made, ended] = [[], []];
  let host;
  const NotesController = controllerOf((sql) => query(host.tx, sql));

  class AppModule {}
  Module({
    imports: [
      ClsModule.forRoot({
        global: true,
        middleware: { mount: true },
        plugins: [new ClsPluginTransactional({ adapter: adapter() })],
      }),
      TenantModule.forRoot({ strategy: 'header' }),
      TenantConnectionsModule.forRoot({
        provide: DB,
        type,
        create({ tenantId }) {
          made.push(tenantId);
          return create(url + tenantId);
        },
        async dispose(db, { tenantId }) {
          await dispose(db);
          ended.push(tenantId);
        },
        ...options,
      }),
    ],
    controllers: [NotesController],
  })(AppModule);

  const http = platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(AppModule, http, { logger: false });
  await app.listen(0, '127.0.0.1');
  host = app.get(TransactionHost);
  const base = `${await app.getUrl()}/notes`;
  const call = async (tenant, method, path = '') => {
    const headers = { 'x-tenant-id': tenant };
    const response = await globalThis.fetch(base + path, { method, headers });
    const text = await response.text();
    if (response.status >= 400) return response.status;
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  };
  const ask = (tenant, sql) => app.get(Tenancy).run(tenant, () => query(app.get(DB), sql));
  return { app, call, ask, made, ended };
}

async function flows(orm) {
  const { app, call, ask, made, ended } = await open(orm);
  const notes = async (tenant) => (await call(tenant, 'GET')).split(',').slice(1);
  const counts = async () => [(await notes('a')).length, (await notes('b')).length];
  const report = {};

  for (const tenant of ['a', 'b']) await ask(tenant, 'delete from note');
  const wanted = Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const answers = await Promise.all(
    wanted.map((tenant, i) => call(tenant, 'POST', `/add/${tenant}-${i}`)),
  );
  report.wrongOf100 = answers.filter(({ tenant }, i) => tenant !== wanted[i]).length;
  report.counts = await counts();
  report.strangers = [
    ...(await notes('a')).filter((text) => text.startsWith('b-')),
    ...(await notes('b')).filter((text) => text.startsWith('a-')),
  ];
  report.pools = made.slice().sort();
  const sockets = `select count(*)::int as n from pg_stat_activity where datname = current_database()`;
  report.atMost4Sockets = (await ask('a', sockets))[0].n <= MAX;
  report.undone = [await call('a', 'POST', '/undo/x'), ...(await counts())];

  for (const tenant of ['a', 'b']) await ask(tenant, 'delete from note');
  report.around = await call('a', 'POST', '/around/x');
  report.afterwards = [await call('a', 'GET'), await call('b', 'GET')];
  await app.close();
  report.ended = ended.slice().sort();

  const small = await open(orm, { max: 1 });
  const inside = once(turns, 'inside');
  const slow = small.call('a', 'POST', '/slow/y');
  await inside;
  report.meanwhile = await small.call('b', 'GET');
  while (small.ended.length === 0) await setTimeout(10);
  turns.emit('go on');
  report.slow = await slow;
  report.evicted = [small.made.join(), small.ended.join()];
  await small.app.close();
  report.endedToo = small.ended.join();
  return report;
}

const reports = {};
for (const orm of Object.keys(orms)) reports[orm] = await flows(orm);
console.log(JSON.stringify(reports));
