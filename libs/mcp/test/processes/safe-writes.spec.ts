// Needs PostgreSQL, redis-server.
// Two processes of the built package behind a proxy, whose keys are in a Redis that the test starts and ends, and whose
// tables are in PostgreSQL: TypeORM on Express, Drizzle on Fastify, both with transactions of nestjs-cls.
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { textOf } from '../support/clients.js';
import { Cluster, inTurn, orNamed } from '../support/cluster.js';
import { connectEra, type EraClient } from '../support/eras.js';

const APP = fileURLToPath(new URL('../safe-writes/app.mjs', import.meta.url));
const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';

const setups = [
  { platform: 'Express', orm: 'TypeORM' },
  { platform: 'Fastify', orm: 'Drizzle' },
];

describe.each(setups)('safe writes on $platform with $orm', ({ platform, orm }) => {
  const cluster = new Cluster();
  const schema = `safe_writes_${randomUUID().replaceAll('-', '')}`;
  const database = new pg.Client({ connectionString: DATABASE_URL });
  let stopRedis: () => Promise<void>;
  let redisPort: number;
  let endpoint: string;
  const clients: EraClient[] = [];

  const query = async (text: string) => (await database.query(text)).rows as { title: string }[];
  const titles = async () =>
    (await query(`select title from ${schema}.notes order by id`)).map(({ title }) => title);

  beforeAll(async () => {
    await database.connect();
    await query(`create schema ${schema}`);
    await query(`create table ${schema}.notes (id serial primary key, title text not null)`);
    await query(`create table ${schema}.used_keys (key text primary key)`);
    redisPort = await freePort();
    stopRedis = await startOwnRedis(redisPort);
    const url = new URL(DATABASE_URL);
    url.searchParams.set('options', `-c search_path=${schema}`);
    endpoint = await cluster.start(
      [APP, platform, orm, url.href, String(redisPort)],
      orNamed(inTurn()),
    );
  });

  beforeEach(() => query(`truncate ${schema}.notes, ${schema}.used_keys`));

  afterAll(async () => {
    for (const client of clients) await client.close().catch(() => undefined);
    await cluster.stop();
    await stopRedis();
    await query(`drop schema ${schema} cascade`);
    await database.end();
  });

  /** A client that cannot ask, at one of the processes. */
  const at = async (process: number) => {
    const headers = { authorization: 'Bearer ada', 'x-process': String(process) };
    const client = await connectEra('2026-07-28', endpoint, { headers });
    clients.push(client);
    return client;
  };
  const tokenOf = (result: { readonly _meta?: unknown }) =>
    (result._meta as Record<string, { token: string }>)['fledge/confirmation']?.token ?? '';

  it('try a call without an effect, and run it with the token of the trial, once', async () => {
    const [one, other] = [await at(0), await at(1)];
    const tried = await one.call('add', { title: 'a', dryRun: true });
    expect(tried.content).toMatchObject([
      { text: '{"title":"a","notes":1}' },
      { text: expect.stringMatching(/^Dry run: .* Nothing was saved\. To save the changes/) },
    ]);
    expect(tried._meta).toMatchObject({ 'fledge/dryRun': true });
    expect(await titles()).toEqual([]);
    const confirmation = tokenOf(tried);
    const wrong = await other.call('add', { title: 'b', confirmation });
    expect(textOf(wrong)).toMatch(/^Nothing was done: the confirmation is for another call/);
    expect(textOf(await other.call('add', { title: 'a', confirmation }))).toBe(
      '{"title":"a","notes":1}',
    );
    for (const client of [one, other]) {
      const again = await client.call('add', { title: 'a', confirmation });
      expect(textOf(again)).toMatch(/^Nothing was done: the confirmation has already been used/);
    }
    expect(await titles()).toEqual(['a']);
  });

  it('roll back a trial that fails, and transactions in it', async () => {
    const { call } = await at(0);
    const failed = await call('add', { title: 'taken', dryRun: true });
    expect(failed.isError).toBe(true);
    expect(failed.content).toMatchObject([
      { text: expect.stringContaining('The title is taken') },
      { text: 'Dry run: the call would fail with the error above. Nothing was saved.' },
    ]);
    const nested = await call('nested', { title: 'n', dryRun: true });
    expect(nested.content[0]).toMatchObject({ text: '{"notes":2}' });
    const invalid = await call('nested', { title: 'n', dryRun: 'yes' });
    expect(textOf(invalid)).toMatch(/^Invalid arguments for "nested": \/dryRun must be/);
    expect(await titles()).toEqual([]);
    expect(textOf(await call('nested', { title: 'n', dryRun: false }))).toBe('{"notes":2}');
    expect(await titles()).toEqual(['n', 'n']);
  });

  it('keep trials that run at once apart from each other and from writes', async () => {
    const [one, other] = [await at(0), await at(1)];
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? one : other).call('nested', { title: `t${i}`, dryRun: i % 4 < 2 }),
      ),
    );
    const written = await titles();
    expect(written).toHaveLength(40);
    expect(written.every((title) => Number(title.slice(1)) % 4 >= 2)).toBe(true);
  });

  it('run one of 1,000 equal calls at two processes', async () => {
    const both = [await at(0), await at(1)];
    const idempotencyKey = randomUUID();
    const confirmation = tokenOf(await both[0]!.call('add', { title: 'once' }));
    const args = { title: 'once', idempotencyKey, confirmation };
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => both[i % 2]!.call('add', args)));
    expect(await titles()).toEqual(['once']);
    for (const { call } of both) {
      expect(await call('add', args)).toMatchObject({
        content: [{ text: '{"title":"once","notes":1}' }],
        _meta: { 'fledge/repeated': true },
      });
    }
    expect(await titles()).toEqual(['once']);
  });

  it('let an application recognize repeats in its own transaction', async () => {
    const idempotencyKey = randomUUID();
    for (const [process, isFirst] of [
      [0, true],
      [1, false],
    ] as const) {
      const { call } = await at(process);
      const result = await call('pay', { title: 'paid', idempotencyKey });
      expect(JSON.parse(textOf(result))).toEqual({ title: 'paid', isFirst });
    }
    expect(await titles()).toEqual(['paid']);
  });

  it('refuse calls that cannot be checked while Redis is away', async () => {
    await stopRedis();
    const { call } = await at(0);
    for (const args of [{ idempotencyKey: 'k' }, { confirmation: 'x' }, {}]) {
      const result = await call('add', { title: 'unchecked', ...args });
      expect(result).toMatchObject({ isError: true });
      expect(textOf(result)).toBe(
        'Nothing was done: the server could not check this call. Try again later.',
      );
    }
    expect(await titles()).toEqual([]);
    stopRedis = await startOwnRedis(redisPort);
    await until(async () => tokenOf(await call('add', { title: 'unchecked' })) !== '');
  });

  it('say that the outcome of a call is unknown whose process was killed', async () => {
    const { call } = await at(0);
    const idempotencyKey = randomUUID();
    const lost = call('hang', { title: 'killed', idempotencyKey });
    lost.catch(() => undefined);
    await until(async () => (await titles()).length === 1);
    await cluster.kill(0);
    await expect(lost).rejects.toThrow();
    const other = await at(1);
    const repeat = () => other.call('hang', { title: 'killed', idempotencyKey });
    const early = await repeat();
    expect(early._meta).toMatchObject({ 'fledge/error': { retryable: true } });
    // A process renews this key while a call of its own runs. Nobody renews it now.
    const redis = new Redis({ port: redisPort });
    const [lease] = await redis.keys('*:lease:*');
    expect(await redis.pttl(lease!)).toBeGreaterThan(0);
    await redis.pexpire(lease!, 1);
    redis.disconnect();
    await until(async () => !textOf(await repeat()).includes('still runs'));
    expect(textOf(await repeat())).toMatch(/^The outcome of the first call .* is unknown/);
    expect(await titles()).toEqual(['killed']);
  });
});
