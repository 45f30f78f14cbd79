// Needs redis-server.
// Automatic persisted queries of two applications that share a store, in a Redis that the test starts and ends.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type DocumentStore, GraphqlMountModule, type GraphqlMountOptions } from '@fledge/graphql';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { closeAll, platforms, post, serve } from '../../../../test/support/platforms.js';
import { freePort } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { persisted, sha256 } from '../support/documents.js';
import { feed, TenantsModule } from '../support/feed.js';
import { type Answer, call } from '../support/requests.js';

const HELLO = 'query Hello { hello }';
const WHO = '{ tenant }';
const world = { status: 200, body: { data: { hello: 'world' } } };
const notFound = {
  status: 200,
  body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
};
const mismatch = {
  status: 400,
  body: { errors: [{ extensions: { code: 'PERSISTED_QUERY_MISMATCH' } }] },
};

/** The store of the page about documents. */
const documentsIn = (redis: Redis): DocumentStore => ({
  get: (hash) => redis.get(`apq:${hash}`),
  set: (hash, text) => redis.set(`apq:${hash}`, text, 'EX', 86_400),
});

describe.each(platforms)('two applications on $name with documents in one Redis', (platform) => {
  let port: number;
  let stop: () => Promise<void>;
  let direct: Redis;
  const clients: Redis[] = [];
  const connect = (options: object = {}) => {
    const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 20, ...options });
    // What ioredis tells of a lost connection. Without a listener it prints it.
    redis.on('error', () => undefined);
    clients.push(redis);
    return redis;
  };

  beforeEach(async () => {
    port = await freePort();
    stop = await startOwnRedis(port);
    direct = connect();
  });
  afterEach(async () => {
    await closeAll();
    for (const client of clients.splice(0)) client.disconnect();
    await stop();
  });

  /** Starts an application with a connection of its own. Returns how to send a request to it. */
  async function start(options: Partial<GraphqlMountOptions> = {}) {
    const client = connect({ enableOfflineQueue: false });
    await until(() => client.status === 'ready');
    const { url } = await serve(
      {
        imports: [
          TenantsModule,
          GraphqlMountModule.forRoot({
            schema: feed().schema,
            documents: 'automatic',
            documentStore: documentsIn(client),
            ...options,
          }),
        ],
      },
      platform,
    );
    return (body: object, headers: object = {}): Promise<Answer> => {
      const init = post(body);
      return call(`${url}/graphql`, { ...init, headers: { ...init.headers, ...headers } });
    };
  }

  const stored = (text: string) => async () => (await direct.exists(`apq:${sha256(text)}`)) === 1;

  it('serve at one what a client registered at the other, each with its own tenant', async () => {
    const [one, other] = [await start(), await start()];
    const extensions = persisted(WHO);
    expect(await other({ extensions })).toMatchObject(notFound);
    const { body } = await one({ extensions, query: WHO }, { 'x-tenant-id': 'acme' });
    expect(body).toEqual({ data: { tenant: 'acme' } });
    await until(stored(WHO));
    const answer = await other({ extensions }, { 'x-tenant-id': 'globex' });
    expect(answer.body).toEqual({ data: { tenant: 'globex' } });
    expect(await direct.ttl(`apq:${sha256(WHO)}`)).toBeGreaterThan(86_000);
  });

  it('apply their own limits and schema to what the other registered', async () => {
    const one = await start();
    const strict = await start({ limits: { aliases: 1 } });
    const foreign = await start({
      schema: undefined as never,
      typeDefs: 'type Query { a: Int }',
    });
    const text = '{ a: hello b: hello }';
    expect((await one({ extensions: persisted(text), query: text })).status).toBe(200);
    await until(stored(text));
    const codes = [];
    for (const send of [strict, foreign]) {
      const { body } = await send({ extensions: persisted(text) });
      codes.push(body.errors[0].extensions.code);
    }
    expect(codes).toEqual(['GRAPHQL_LIMIT_EXCEEDED', 'GRAPHQL_VALIDATION_FAILED']);
  });

  it('do not execute what others wrote to the store under a hash', async () => {
    const send = await start();
    const extensions = persisted(HELLO);
    const key = `apq:${sha256(HELLO)}`;
    for (const poison of ['{ user }', '', ' query Hello { hello }', `${HELLO}\u0000`]) {
      await direct.set(key, poison);
      expect([poison, await send({ extensions })]).toMatchObject([poison, notFound]);
    }
    await direct.del(key);
    await direct.lpush(key, HELLO);
    expect(await send({ extensions })).toMatchObject(notFound);
    await direct.del(key);
    // The client sends the text, which mends the entry.
    expect(await send({ extensions, query: HELLO })).toMatchObject(world);
    await until(stored(HELLO));
    expect(await direct.get(key)).toBe(HELLO);
  });

  it('ask the store for SHA-256 hashes only, and store texts under theirs only', async () => {
    const send = await start();
    const digest = (algorithm: string) => createHash(algorithm).update(HELLO).digest('hex');
    const wrong = [
      ...['md5', 'sha1', 'sha512', 'sha3-256'].map(digest),
      ...['__proto__', 'constructor', 'toString', '*', 'x\r\nFLUSHALL\r\n'],
      `${sha256(HELLO)}\n`,
      sha256(HELLO).toUpperCase(),
      'a'.repeat(90_000),
    ];
    for (const hash of wrong) {
      const extensions = persisted(HELLO, hash);
      expect([hash, await send({ extensions, query: HELLO })]).toMatchObject([hash, mismatch]);
      expect([hash, await send({ extensions })]).toMatchObject([hash, notFound]);
    }
    expect(await direct.keys('*')).toEqual([]);
    // One has the form of a hash: the store was asked for it, and had nothing.
    const stats = await direct.info('commandstats');
    expect(/cmdstat_get:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
    expect(stats).not.toContain('cmdstat_set:');
  });

  it('read a document once that many ask for at the same time', async () => {
    const [one, other] = [await start(), await start()];
    const extensions = persisted(HELLO);
    await one({ extensions, query: HELLO });
    await until(stored(HELLO));
    // Reads wait in the meantime.
    await direct.client('PAUSE', 200, 'ALL');
    const answers = await Promise.all(Array.from({ length: 50 }, () => other({ extensions })));
    for (const answer of answers) expect(answer).toMatchObject(world);
    const stats = await direct.info('commandstats');
    expect(/cmdstat_get:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
  });

  it('answer while Redis is slow, down and back', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    const [one, other] = [await start(), await start()];
    const extensions = persisted(HELLO);
    // Longer than the time limit of a test: Redis does not answer before it is stopped.
    await direct.client('PAUSE', 3_600_000, 'ALL');
    expect(await one({ extensions })).toMatchObject(notFound);
    expect(await one({ extensions, query: HELLO })).toMatchObject(world);
    expect(await one({ extensions })).toMatchObject(world);
    await stop();
    expect(await other({ extensions })).toMatchObject(notFound);
    expect(await other({ extensions, query: HELLO })).toMatchObject(world);
    stop = await startOwnRedis(port);
    await until(() => clients.every(({ status }) => status === 'ready'));
    expect(await one({ extensions: persisted(WHO), query: WHO })).toMatchObject({ status: 200 });
    await until(stored(WHO));
    expect(await other({ extensions: persisted(WHO) })).toMatchObject({
      body: { data: { tenant: 'nobody' } },
    });
    // One line for each application, whatever the number of failures.
    expect(warned.mock.calls.map(([line]) => line)).toEqual([
      expect.stringMatching(/^The document store failed\. Error: get\(\) took more than 1000 ms/),
      expect.stringMatching(/^The document store failed\. .*(closed|writeable|ECONN)/),
    ]);
    warned.mockRestore();
  });
});
