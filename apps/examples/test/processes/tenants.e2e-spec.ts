// Needs PostgreSQL, Redis.
// The examples with tenants, on a real PostgreSQL and a real Redis.
import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { Redis } from 'ioredis';
import pg from 'pg';
import { WebSocket } from 'ws';
import { until } from '../../../../test/support/until.js';
import { run, stopAll } from '../examples.js';

afterEach(stopAll);

const DATABASE_URL = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const REDIS_URL = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

function asTenant(tenant: string, body?: object): RequestInit {
  const headers = { 'x-tenant-id': tenant, 'content-type': 'application/json' };
  return body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
}

it('typeorm-rls shows a tenant its rows, without a where', async () => {
  const id = `fledge_example_${randomBytes(6).toString('hex')}`;
  const server = new pg.Client({ connectionString: DATABASE_URL });
  await server.connect();
  await server.query(`create role ${id} login password '${id}' nosuperuser nobypassrls`);
  await server.query(`create database ${id}`);
  const [ownerUrl, appUrl] = [new URL(DATABASE_URL), new URL(DATABASE_URL)];
  [ownerUrl.pathname, appUrl.pathname] = [`/${id}`, `/${id}`];
  [appUrl.username, appUrl.password] = [id, id];
  try {
    const url = await run('typeorm-rls', { OWNER_URL: ownerUrl.href, DATABASE_URL: appUrl.href });
    await fetch(`${url}/notes`, asTenant('acme', { text: 'of acme' }));
    await fetch(`${url}/notes`, asTenant('globex', { text: 'of globex' }));
    const list = async (tenant: string) =>
      (await fetch(`${url}/notes`, asTenant(tenant))).json() as Promise<unknown>;
    expect([await list('acme'), await list('globex'), await list('none')]).toEqual([
      [{ id: 1, text: 'of acme' }],
      [{ id: 2, text: 'of globex' }],
      [],
    ]);
  } finally {
    await stopAll();
    await server.query(`drop database ${id} with (force)`);
    await server.query(`drop role ${id}`);
    await server.end();
  }
});

it('bullmq runs a job of the web process in the worker process, for its tenant', async () => {
  const QUEUE_PREFIX = `fledge-example-${randomBytes(6).toString('hex')}`;
  const env = { REDIS_URL, QUEUE_PREFIX };
  const [url] = await Promise.all([
    run('bullmq', { ...env, ROLE: 'web' }),
    run('bullmq', { ...env, ROLE: 'worker' }),
  ]);
  const order = async (tenant: string) =>
    (await (await fetch(`${url}/reports`, asTenant(tenant, { year: 2026 }))).json()) as {
      id: string;
    };
  const [acme, globex] = [await order('acme'), await order('globex')];
  const resultOf = async ({ id }: { id: string }) =>
    ((await (await fetch(`${url}/reports/${id}`)).json()) as { done: string | null }).done;
  await until(async () => (await resultOf(globex)) !== null, 'the last job is done');
  expect(await resultOf(acme)).toMatch(/^2026 of acme, by process \d+$/);
  expect(await resultOf(globex)).toMatch(/^2026 of globex/);

  const redis = new Redis(REDIS_URL);
  const keys = await redis.keys(`${QUEUE_PREFIX}:*`);
  await redis.del(...keys);
  await redis.quit();
});

it('subscriptions gives each subscriber the events of its tenant', async () => {
  const url = await run('subscriptions');
  const seen: Record<string, string[]> = { acme: [], globex: [] };
  const clients = ['acme', 'globex'].map((tenant) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-tenant-id': tenant },
    });
    client.subscribe<{ posted: string }>(
      { query: 'subscription { posted }' },
      {
        next: ({ data }) => seen[tenant]?.push(data?.posted ?? ''),
        error: (error) => seen[tenant]?.push(JSON.stringify(error)),
        complete: () => undefined,
      },
    );
    return client;
  });
  const post = (tenant: string, text: string) =>
    fetch(`${url}/graphql`, asTenant(tenant, { query: `mutation { post(text: "${text}") }` }));
  // A subscription is open once its first event arrives.
  await until(async () => {
    await Promise.all([post('acme', 'open'), post('globex', 'open')]);
    return Object.values(seen).every((events) => events.includes('open'));
  }, 'both are subscribed');
  await post('acme', 'for acme');
  await post('globex', 'for globex');
  await until(
    () => Object.entries(seen).every(([tenant, events]) => events.includes(`for ${tenant}`)),
    'both events arrived',
  );
  expect(seen['acme']).not.toContain('for globex');
  expect(seen['globex']).not.toContain('for acme');
  for (const client of clients) await client.dispose();
});
