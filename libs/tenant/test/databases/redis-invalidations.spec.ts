// Needs PostgreSQL, redis-server.
// Changes of tenants between processes of the built package, by a Redis that the test starts and ends.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Tenancy, TenantModule, type TenantRecord } from '@fledge/tenant';
import { redisInvalidations } from '@fledge/tenant/redis';
import { Redis } from 'ioredis';
import pg from 'pg';
import { call } from '../../../../test/support/platforms.js';
import { freePort, type Running, start } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';

const PROCESS = fileURLToPath(new URL('../redis/process.mjs', import.meta.url));
const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const CHANNEL = 'fledge:tenant:invalidations';
const table = `tenant_${randomBytes(6).toString('hex')}`;

const database = new pg.Pool({ connectionString: DATABASE_URL, max: 1 });
const running: Running[] = [];
let port: number;
let stopRedis: () => Promise<void>;

async function startRedis(): Promise<void> {
  stopRedis = await startOwnRedis(port);
}

async function startProcess() {
  const process_ = start(process.execPath, [
    '--no-warnings',
    PROCESS,
    `redis://127.0.0.1:${port}`,
    DATABASE_URL,
    table,
  ]);
  running.push(process_);
  const [, url = ''] = await process_.until(/listens at (\S+)\./);
  const use = (tenant: string) => call(`${url}/use`, { headers: { 'x-tenant-id': tenant } });
  return {
    output: process_.output,
    prints: process_.until,
    use,
    change: (id: string, status: string) =>
      call(`${url}/change?id=${id}&status=${status}`, { method: 'POST' }),
    state: async () =>
      (await call(`${url}/state`)).body as { ended: number[]; seen: (string | null)[] },
    /** Waits until a tenant gets this answer. */
    answers: (tenant: string, status: number) =>
      until(async () => (await use(tenant)).status === status, `${status} of ${tenant}`),
  };
}

describe('invalidations by Redis', () => {
  beforeAll(() => database.query(`create table ${table} (id text primary key, status text)`));
  beforeEach(async () => {
    await database.query(`truncate ${table}`);
    await database.query(`insert into ${table} values ('a', 'active'), ('b', 'active')`);
    port = await freePort();
    await startRedis();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()));
    await stopRedis();
  });
  afterAll(async () => {
    await database.query(`drop table ${table}`);
    await database.end();
  });

  it('reach the other process long before its cache expires, with record and instance', async () => {
    const [one, other] = await Promise.all([startProcess(), startProcess()]);
    for (const tenant of ['a', 'b']) {
      expect(await other.use(tenant)).toMatchObject({ status: 200, body: { of: tenant } });
    }
    await one.change('a', 'suspended');
    await other.answers('a', 403);
    await until(async () => (await other.state()).ended.length === 1);
    expect(await other.state()).toMatchObject({ ended: [1] });
    await one.change('a', 'active');
    await other.answers('a', 200);
    expect((await other.use('a')).body).toEqual({ of: 'a', serial: 3 });
    // The other tenant keeps its instance.
    expect((await other.use('b')).body).toEqual({ of: 'b', serial: 2 });
    expect((await other.state()).seen).toEqual([null]);
  });

  it('ignore messages that are none, and log them once', async () => {
    const process_ = await startProcess();
    expect((await process_.use('a')).body).toEqual({ of: 'a', serial: 1 });
    const publisher = new Redis(port);
    const hostile = [
      '',
      'a',
      '{',
      'null',
      '[]',
      '{"v":1,"tenant":"a"}',
      '{"v":1,"from":"x","tenant":["a"]}',
      '{"v":1,"from":"x","tenant":{"toString":1}}',
      '{"v":2,"from":"x","tenant":"a"}',
      '{"__proto__":{"v":1,"from":"x","tenant":"a"}}',
      JSON.stringify({ v: 1, from: 'x', tenant: 'a'.repeat(10_000) }),
    ];
    for (let i = 0; i < 20; i += 1) {
      for (const text of hostile) await publisher.publish(CHANNEL, text);
    }
    expect((await process_.use('a')).body).toEqual({ of: 'a', serial: 1 });
    await publisher.publish(CHANNEL, JSON.stringify({ v: 1, from: 'x', tenant: 'a' }));
    await until(async () => (await process_.state()).ended.length === 1, 'the valid message');
    await process_.prints(/Invalid messages on the channel/);
    expect(process_.output().match(/Invalid messages on the channel/g)).toHaveLength(1);
    await publisher.quit();
  });

  it('refresh everything after Redis was away, and arrive late from whoever could not send', async () => {
    const [one, other] = await Promise.all([startProcess(), startProcess()]);
    for (const tenant of ['a', 'b']) await other.use(tenant);
    await stopRedis();
    await one.change('a', 'suspended');
    // What changed past both processes is dropped too.
    await database.query(`update ${table} set status = 'maintenance' where id = 'b'`);
    expect((await one.use('a')).status).toBe(403);
    expect((await other.use('a')).status).toBe(200);
    await startRedis();
    await other.answers('a', 403);
    await other.answers('b', 503);
    await until(async () => (await other.state()).ended.length === 2);
    expect((await other.state()).ended).toEqual([1, 2]);
  });

  it('do not keep an application from starting without Redis', async () => {
    await stopRedis();
    const [one, other] = await Promise.all([startProcess(), startProcess()]);
    await one.prints(/Redis/);
    await other.use('a');
    await one.change('a', 'suspended');
    expect((await other.use('a')).status).toBe(200);
    await startRedis();
    await other.answers('a', 403);
    await one.change('a', 'active');
    await other.answers('a', 200);
  });
});

describe('redisInvalidations()', () => {
  let admin: Redis;
  let client: Redis;
  const apps: INestApplicationContext[] = [];
  const warnings: string[] = [];
  const keep = (text: unknown) => void warnings.push(String(text));
  const logger = { log: () => undefined, verbose: () => undefined, warn: keep, error: keep };
  const status: Record<string, TenantRecord['status']> = {};

  beforeEach(async () => {
    warnings.length = 0;
    status['acme'] = 'active';
    port = await freePort();
    await startRedis();
    admin = new Redis(port);
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((app) => app.close()));
    for (const each of [admin, client]) each.disconnect();
    await stopRedis();
  });

  const tenantModule = () =>
    TenantModule.forRoot({
      strategy: 'header',
      store: (id) => ({ tenantId: id, status: status[id] ?? 'active' }),
      cache: { ttlMs: 3_600_000 },
      invalidations: redisInvalidations({ client }),
    });
  async function started(imported: ReturnType<typeof tenantModule>) {
    class AppModule {}
    const module = { module: AppModule, imports: [imported] };
    const app = await NestFactory.createApplicationContext(module, { logger });
    apps.push(app);
    const isServed = () =>
      app
        .get(Tenancy)
        .run('acme', () => true)
        .catch(() => false);
    return { app, tenancy: app.get(Tenancy), isServed };
  }
  const publish = () =>
    admin.publish(CHANNEL, JSON.stringify({ v: 1, from: 'another process', tenant: 'acme' }));
  const subscribers = async () => (await admin.pubsub('NUMSUB', CHANNEL))[1];

  it('serves two applications of a process, until both are closed', async () => {
    client = new Redis(port);
    const shared = tenantModule();
    const [one, two] = [await started(shared), await started(shared)];
    expect([await one.isServed(), await two.isServed()]).toEqual([true, true]);
    status['acme'] = 'suspended';
    one.tenancy.invalidate('acme');
    expect([await one.isServed(), await two.isServed()]).toEqual([false, false]);
    await one.app.close();
    // An application that was never initialized.
    const uninitialized = await Test.createTestingModule({ imports: [shared] }).compile();
    await uninitialized.close();
    status['acme'] = 'active';
    await publish();
    await until(two.isServed);
    await two.app.close();
    apps.length = 0;
    await until(async () => (await subscribers()) === 0);
    const three = await started(shared);
    expect(await three.isServed()).toBe(true);
    status['acme'] = 'suspended';
    await publish();
    await until(async () => !(await three.isServed()));
  });

  it('names the missing permission, tries again rarely, and subscribes once it is allowed', async () => {
    const rights = ['on', '>secret', '~*', '+@all', 'resetchannels'];
    await admin.call('ACL', 'SETUSER', 'app', ...rights);
    client = new Redis({ port, username: 'app', password: 'secret' });
    const opened = async () =>
      Number(/total_connections_received:(\d+)/.exec(await admin.info('stats'))?.[1]);
    const before = await opened();
    // Waits a second for the subscription.
    const app = await started(tenantModule());
    expect((await opened()) - before).toBeLessThan(6);
    const cure = `Run in Redis: ACL SETUSER app +subscribe +publish &${CHANNEL}`;
    expect(warnings.join('\n')).toMatch(/rejected the subscription to the channel.*NOPERM/);
    expect(warnings.join('\n')).toContain(cure);
    await admin.call('ACL', 'SETUSER', 'app', '+subscribe', '+publish', `&${CHANNEL}`);
    await until(async () => (await subscribers()) === 1);
    expect(await app.isServed()).toBe(true);
    status['acme'] = 'suspended';
    await publish();
    await until(async () => !(await app.isServed()));
  });
});
