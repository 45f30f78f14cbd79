// Needs PostgreSQL, redis-server.
// Changes of tenants between processes of the built package, by a Redis that the test starts and ends.
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
