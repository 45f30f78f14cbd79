// Transactions of @nestjs-cls/transactional in an application of the built package, by one ORM after
// the other. Prints one line of JSON: what rls-transactions.spec.ts expects. Arguments: platform, and a URL of a database
// for each way in which tenants are kept apart, such as `policies=postgres://...`. The ways are `policies`, `schemas`, and
// `hardened`: policies where set_config is revoked.
import 'reflect-metadata';
import {
  ClsPluginTransactional,
  Propagation,
  Transactional,
  TransactionHost,
} from '@nestjs-cls/transactional';
import { TransactionalAdapterDrizzleOrm } from '@nestjs-cls/transactional-adapter-drizzle-orm';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ClsModule, ClsServiceManager } from 'nestjs-cls';
import { Tenancy, TenantModule, UniversalRoute } from '@fledge/tenant';
import {
  drizzleQuery,
  knexQuery,
  kyselyQuery,
  tenantAware,
  typeormQuery,
} from '@fledge/tenant/rls';
import { openOrm } from './orms.mjs';
import { TransactionalAdapterKnex, TransactionalAdapterKysely } from './transactional-adapters.mjs';

const [, , platform, ...databases] = process.argv;
const DB = Symbol('db');
const bindings = {
  policies: {},
  hardened: { by: 'SET LOCAL' },
  schemas: { schemaOf: ({ tenantId }) => `of ${tenantId}` },
};

const adapters = {
  drizzle: (binding) =>
    tenantAware(
      new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: DB }),
      drizzleQuery,
      binding,
    ),
  knex: (binding) =>
    tenantAware(new TransactionalAdapterKnex({ knexInstanceToken: DB }), knexQuery, binding),
  kysely: (binding) =>
    tenantAware(new TransactionalAdapterKysely({ kyselyInstanceToken: DB }), kyselyQuery, binding),
  typeorm: (binding) =>
    tenantAware(new TransactionalAdapterTypeOrm({ dataSourceToken: DB }), typeormQuery, binding),
};

const codeOf = (error) => error.code ?? (error.cause && codeOf(error.cause)) ?? error.message;
const failure = (work) =>
  work().then(
    () => 'no failure',
    (error) => codeOf(error),
  );

async function flows(name, by, url) {
  const orm = await openOrm[name]({ url }, 4);
  let host, tenancy;
  const read = () => orm.texts(host.tx);

  class NotesController {
    required() {
      return read();
    }
    async outer() {
      const first = await read();
      const other = await tenancy.run('b', () => this.required());
      return [first, other, await this.required()];
    }
    anybody() {
      return this.required();
    }
  }
  const decorate = (method, ...decorators) =>
    Object.defineProperty(
      NotesController.prototype,
      method,
      Reflect.decorate(
        decorators,
        NotesController.prototype,
        method,
        Object.getOwnPropertyDescriptor(NotesController.prototype, method),
      ),
    );
  decorate('required', Get('required'), Transactional());
  decorate('outer', Get('outer'), Transactional());
  decorate('anybody', Get('anybody'), UniversalRoute());
  Controller('notes')(NotesController);

  class DbModule {}
  Module({ providers: [{ provide: DB, useValue: orm.db }], exports: [DB] })(DbModule);
  class AppModule {}
  Module({
    imports: [
      ClsModule.forRoot({
        global: true,
        middleware: { mount: true },
        plugins: [
          new ClsPluginTransactional({
            imports: [DbModule],
            adapter: adapters[name](bindings[by]),
          }),
        ],
      }),
      TenantModule.forRoot({ strategy: 'header' }),
    ],
    controllers: [NotesController],
  })(AppModule);

  const http = platform === 'Fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app = await NestFactory.create(AppModule, http, { logger: false });
  await app.listen(0, '127.0.0.1');
  host = app.get(TransactionHost);
  tenancy = app.get(Tenancy);
  const get = async (path, tenant) => {
    const headers = tenant ? { 'x-tenant-id': tenant } : {};
    const response = await globalThis.fetch(`${await app.getUrl()}/notes/${path}`, { headers });
    return response.status === 200 ? response.json() : response.status;
  };

  const wanted = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const answers = await Promise.all(wanted.map((tenant) => get('required', tenant)));
  const wrong = answers.filter((answer, i) => answer.join() !== (wanted[i] === 'a' ? 'A1' : 'B1'));

  const nested = (run) => host.withTransaction(Propagation.Nested, run);
  const cls = ClsServiceManager.getClsService();
  // What tenancy.run() keeps from happening: the store, and the transaction in it, change tenants.
  const inStoreOfA = (run) =>
    cls.run({ ifNested: 'inherit' }, () => {
      const scope = { kind: 'tenant', tenant: { tenantId: 'b' } };
      cls.set(Symbol.for('fledge:tenant-scope'), scope);
      return run();
    });

  const apart = { outer: await get('outer', 'a'), wrongOf40: wrong.length };
  const report = by === 'schemas' ? apart : { ...apart, ...(await policies()) };
  await app.close();
  await orm.close();
  return report;

  async function policies() {
    return {
      withoutTenant: await get('anybody'),
      withoutTenantCode: await failure(() => host.withTransaction(read)),
      withoutTransaction: await tenancy.run('a', read),
      central: await tenancy.runCentral('report', () => host.withTransaction(read)),
      nested: await tenancy.run('a', () => host.withTransaction(() => nested(read))),
      requiresNew: await tenancy.run('a', () =>
        host.withTransaction(() => host.withTransaction(Propagation.RequiresNew, read)),
      ),
      notSupported: await tenancy.run('a', () =>
        host.withTransaction(() => host.withTransaction(Propagation.NotSupported, read)),
      ),
      nestedInOther: await tenancy.run('a', () =>
        host.withTransaction(async () => [
          await failure(() => inStoreOfA(() => nested(read))),
          await read(),
        ]),
      ),
      rolledBack: await failure(() =>
        tenancy.run('a', () =>
          host.withTransaction(async () => {
            await orm.insert(host.tx, 'a', 'A2');
            throw new Error('undone');
          }),
        ),
      ),
      afterwards: await get('required', 'a'),
    };
  }
}

const reports = {};
for (const database of databases) {
  const [by, url] = database.split(/=(.*)/, 2);
  reports[by] = {};
  for (const name of Object.keys(adapters)) reports[by][name] = await flows(name, by, url);
}
console.log(JSON.stringify(reports));
