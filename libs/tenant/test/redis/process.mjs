// One process of an application whose processes tell each other of changed tenants by Redis.
// Arguments: URL of Redis, URL of the database, table of tenants.
import 'reflect-metadata';
import { Controller, Get, Inject, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Redis } from 'ioredis';
import pg from 'pg';
import { CentralRoute, Tenancy, TenantModule } from '@fledge/tenant';
import { redisInvalidations } from '@fledge/tenant/redis';

const [, , redisUrl, databaseUrl, table] = process.argv;
const client = new Redis(redisUrl, { retryStrategy: () => 100 }).on('error', () => undefined);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
const DB = Symbol('DB');
const ended = [];
let serial = 0;
/** The tenants that code of the store saw while it answered messages. */
const seen = new Set();
let tenancy;

const store = {
  async find(id) {
    seen.add(tenancy?.currentOrNull()?.tenantId ?? null);
    const { rows } = await pool.query(`select status from ${table} where id = $1`, [id]);
    return rows[0] && { tenantId: id, status: rows[0].status };
  },
};

class AppController {
  constructor(db, own) {
    this.db = db;
    this.tenancy = own;
    tenancy = own;
  }
  use() {
    return { of: this.db.of, serial: this.db.serial };
  }
  async change(id, status) {
    await pool.query(`update ${table} set status = $2 where id = $1`, [id, status]);
    this.tenancy.invalidate(id);
  }
  state() {
    return { ended, seen: [...seen] };
  }
}
const decorate = (decorators, method) =>
  Reflect.decorate(
    decorators,
    AppController.prototype,
    method,
    Object.getOwnPropertyDescriptor(AppController.prototype, method),
  );
decorate([Get('use')], 'use');
decorate([Post('change'), CentralRoute()], 'change');
Query('id')(AppController.prototype, 'change', 0);
Query('status')(AppController.prototype, 'change', 1);
decorate([Get('state'), CentralRoute()], 'state');
Inject(DB)(AppController, undefined, 0);
Inject(Tenancy)(AppController, undefined, 1);
Controller()(AppController);

class AppModule {}
Module({
  imports: [
    TenantModule.forRoot({
      strategy: 'header',
      store,
      cache: { ttlMs: 3_600_000 },
      invalidations: redisInvalidations({ client }),
    }),
    TenantModule.forFeature([
      {
        provide: DB,
        useFactory: ({ tenantId }) => ({ of: tenantId, serial: (serial += 1) }),
        dispose: (db) => ended.push(db.serial),
      },
    ]),
  ],
  controllers: [AppController],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.on('SIGTERM', () => setTimeout(() => process.exit(0), 500).unref());
console.log(`listens at ${await app.getUrl()}.`);
