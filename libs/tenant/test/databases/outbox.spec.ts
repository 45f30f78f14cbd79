// Needs PostgreSQL.
// An outbox on PostgreSQL: rows keep the tenant, and the relay, which has none, sends each for its own.
import { CurrentTenant, Tenancy, type TenantContext, TenantModule } from '@fledge/tenant';
import { TenantMicroservicesModule } from '@fledge/tenant/microservices';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { Controller, type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientProxy,
  ClientsModule,
  MessagePattern,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { Pool } from 'pg';
import { firstValueFrom } from 'rxjs';
import { freePort } from '../../../../test/support/processes.js';
import { Tenants } from '../transports/tenants.js';

const tenants = new Tenants('a', 'b', 'paused', 'moved');
let seen: string[] = [];

@Controller()
class Receiver {
  @MessagePattern('placed')
  placed(@Payload() { id }: { id: number }, @CurrentTenant() { tenantId }: TenantContext) {
    seen.push(`${id} ${tenantId}`);
    return 'taken';
  }
}

const tcp = {
  transport: Transport.TCP,
  options: { host: '127.0.0.1', port: await freePort() },
} as const;

@Module({
  imports: [
    TenantModule.forRoot({ strategy: 'header', store: tenants, cache: false }),
    TenantMicroservicesModule,
    ClientsModule.register([{ name: 'CLIENT', ...tcp }]),
  ],
  controllers: [Receiver],
})
class AppModule {}

interface Row {
  readonly id: string;
  readonly pattern: string;
  readonly data: object;
  readonly metadata: unknown;
}

const url = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const table = `outbox_${process.pid}`;
const pool = new Pool({ connectionString: url, max: 4 });
let app: INestMicroservice;
let tenancy: Tenancy;
let client: ClientProxy;

beforeAll(async () => {
  await pool.query(
    `create table ${table} (id bigint generated always as identity primary key, pattern text not null,
      data jsonb not null, metadata jsonb not null, sent_at timestamptz, refused text)`,
  );
  app = await NestFactory.createMicroservice(AppModule, {
    ...tcp,
    logger: false,
    abortOnError: false,
  });
  await app.listen();
  tenancy = app.get(Tenancy);
  client = app.get<ClientProxy>('CLIENT');
});
beforeEach(async () => {
  seen = [];
  await pool.query(`truncate ${table}`);
});
afterAll(async () => {
  await app.close();
  await pool.query(`drop table ${table}`);
  await pool.end();
});

/** In the transaction of the order, in an application. */
const place = (tenant: string, id: number) =>
  tenancy.run(tenant, () =>
    pool.query(`insert into ${table} (pattern, data, metadata) values ($1, $2, $3)`, [
      ...['placed', { id }],
      tenancy.metadata(),
    ]),
  );

/** Sends what waits. @param mark false as if the process died before it could mark the rows */
async function relay(mark = true): Promise<void> {
  const session = await pool.connect();
  try {
    await session.query('begin');
    const { rows } = await session.query<Row>(
      `select * from ${table} where sent_at is null and refused is null
        order by id limit 100 for update skip locked`,
    );
    for (const { id, pattern, data, metadata } of rows) {
      try {
        await tenancy.runFrom(metadata, () => firstValueFrom(client.send(pattern, data)));
        await session.query(`update ${table} set sent_at = now() where id = $1`, [id]);
      } catch (error) {
        const { code } = error as { code?: string };
        await session.query(`update ${table} set refused = $2 where id = $1`, [id, code]);
      }
    }
    await session.query(mark ? 'commit' : 'rollback');
  } finally {
    session.release();
  }
}

it('sends each row for its tenant, also with two relays at once', async () => {
  for (let id = 0; id < 20; id += 1) await place(id % 2 === 0 ? 'a' : 'b', id);
  await Promise.all([relay(), relay()]);
  await relay();
  const expected = Array.from({ length: 20 }, (_, id) => `${id} ${id % 2 === 0 ? 'a' : 'b'}`);
  expect(seen.toSorted()).toEqual(expected.toSorted());
});

it('sends again after a crash, for the tenant it was', async () => {
  await place('a', 1);
  await relay(false);
  await relay();
  expect(seen).toEqual(['1 a', '1 a']);
});

it('refuses rows of a tenant that was suspended or whose identifier changed hands, once', async () => {
  await place('paused', 1);
  await place('moved', 2);
  await place('b', 3);
  tenants.records.set('paused', { tenantId: 'paused', status: 'suspended' });
  tenants.records.set('moved', { tenantId: 'new-owner' });
  await relay();
  await relay();
  expect(seen).toEqual(['3 b']);
  const { rows } = await pool.query(`select refused from ${table} order by id`);
  expect(rows.map(({ refused }: { refused: unknown }) => refused)).toEqual([
    ...['TENANT_SUSPENDED', 'TENANT_MISMATCH'],
    null,
  ]);
});
