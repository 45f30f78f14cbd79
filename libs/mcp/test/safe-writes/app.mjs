// One of several processes of the built package with safe writes. Its tables are in PostgreSQL, and its keys in Redis.
// Arguments: Express or Fastify, TypeORM or Drizzle, the URL of the database, and the port of Redis. Prints its port when
// it listens.
import 'reflect-metadata';
import { ClsPluginTransactional, Propagation, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterDrizzleOrm } from '@nestjs-cls/transactional-adapter-drizzle-orm';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { Body, ConflictException, Controller, Headers, Module, Post } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Redis } from 'ioredis';
import { ClsModule, ClsService } from 'nestjs-cls';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { McpModule, McpTool } from '@fledge/mcp';
import { redisWrites } from '@fledge/mcp/redis';
import { serveProcess } from '../support/serve-process.mjs';

const [, , platform, orm, url, redisPort] = process.argv;
const DB = Symbol('db');

const orms = {
  async TypeORM() {
    const db = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      db,
      adapter: new TransactionalAdapterTypeOrm({ dataSourceToken: DB }),
      run: (tx, title) => tx.query('insert into notes (title) values ($1)', [title]),
      claim: async (tx, key) =>
        (
          await tx.query(
            'insert into used_keys (key) values ($1) on conflict do nothing returning key',
            [key],
          )
        ).length === 1,
      count: async (tx) => Number((await tx.query('select count(*) from notes'))[0].count),
    };
  },
  Drizzle() {
    const db = drizzle({ client: new pg.Pool({ connectionString: url, max: 4 }) });
    return {
      db,
      adapter: new TransactionalAdapterDrizzleOrm({ drizzleInstanceToken: DB }),
      run: (tx, title) => tx.execute(sql`insert into notes (title) values (${title})`),
      claim: async (tx, key) =>
        (
          await tx.execute(
            sql`insert into used_keys (key) values (${key}) on conflict do nothing returning key`,
          )
        ).rows.length === 1,
      count: async (tx) =>
        Number((await tx.execute(sql`select count(*) from notes`)).rows[0].count),
    };
  },
};
const { db, adapter, run, claim, count } = await orms[orm]();

/** Lets the calls of `hang` end. */
let release = () => undefined;

class NotesController {
  constructor(host) {
    this.host = host;
  }

  async add({ title }) {
    await run(this.host.tx, title);
    if (title === 'taken') throw new ConflictException('The title is taken');
    return { title, notes: await count(this.host.tx) };
  }

  /** A transaction in the transaction. */
  async nested({ title }) {
    await this.host.withTransaction(() => run(this.host.tx, title));
    await this.host.withTransaction(Propagation.Nested, () => run(this.host.tx, title));
    return { notes: await count(this.host.tx) };
  }

  async hang({ title }) {
    await run(this.host.tx, title);
    await new Promise((resolve) => (release = resolve));
    return { title };
  }

  /** Recognizes repeated calls in the transaction that writes. */
  async pay({ title }, key) {
    const isFirst = await this.host.withTransaction(async () => {
      if (!(await claim(this.host.tx, key))) return false;
      await run(this.host.tx, title);
      return true;
    });
    return { title, isFirst };
  }

  release() {
    release();
    return {};
  }
}

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] };
const decorate = (name, path, options) => {
  const { prototype } = NotesController;
  Body()(prototype, name, 0);
  Reflect.defineMetadata('design:paramtypes', [Object, String], prototype, name);
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  Post(path)(prototype, name, descriptor);
  if (options) {
    const tool = { name, description: name, inputSchema: schema, ...options };
    McpTool(tool)(prototype, name, descriptor);
  }
};
Headers('idempotency-key')(NotesController.prototype, 'pay', 1);
decorate('add', 'add', { confirm: true, idempotency: true, dryRun: true });
decorate('nested', 'nested', { dryRun: true });
decorate('hang', 'hang', { idempotency: true });
decorate('pay', 'pay', { idempotency: { keptBy: 'application' } });
decorate('release', 'release');
Reflect.defineMetadata('design:paramtypes', [TransactionHost], NotesController);
Controller('notes')(NotesController);

class DbModule {}
Module({ providers: [{ provide: DB, useValue: db }], exports: [DB] })(DbModule);

class AppModule {}
Module({
  imports: [
    ClsModule.forRoot({
      global: true,
      middleware: { mount: true },
      plugins: [new ClsPluginTransactional({ imports: [DbModule], adapter })],
    }),
    McpModule.forRootAsync({
      inject: [ClsService, TransactionHost],
      useFactory: (cls, host) => ({
        name: 'notes',
        sessions: { max: 100 },
        auth: { type: 'bearer', validate: (id) => ({ id }) },
        writes: {
          store: redisWrites({ client: new Redis({ port: Number(redisPort), lazyConnect: true }) }),
          transaction: (work) => cls.run(() => host.withTransaction(work)),
        },
      }),
    }),
  ],
  controllers: [NotesController],
})(AppModule);

await serveProcess(AppModule, platform);
