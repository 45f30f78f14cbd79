// Needs redis-server.
// Two processes of the built package with a bridge, behind a proxy. Their clients, logins and tokens are in a Redis that
// the test starts and ends.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HandClient, press, startUpstream, toConsent } from '../oidc/bridge.js';
import { BrowserJar } from '../support/browser-jar.js';
import { Cluster, inTurn } from '../support/cluster.js';
import { postModern } from '../support/modern-wire.js';
import { wire } from '../support/wire.js';
import { startOwnRedis } from '../../../../test/support/own-redis.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort, type Running } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';

const APP = fileURLToPath(new URL('../oidc/bridge-app.mjs', import.meta.url));
const CALLS = Number(process.env['FLEDGE_INTERLEAVED_CALLS'] ?? 400);
const PEOPLE = 8;
/** A person gets a new token after so many calls. */
const RENEWED = 20;

let publicPort: number;
let origin: string;
let issuer: string;
let upstream: { url: string; running: Running };

beforeAll(async () => {
  publicPort = await freePort();
  origin = `http://127.0.0.1:${publicPort}`;
  issuer = `${origin}/oauth`;
  upstream = await startUpstream(`${issuer}/interaction/callback`);
});
afterAll(() => upstream.running.stop());

describe.each(platforms)('two processes with a bridge, on $name', ({ name: platform }) => {
  const cluster = new Cluster();
  let redisPort: number;
  let stopRedis: () => Promise<void>;
  /** The process that gets the requests; undefined: they take turns. */
  let home: number | undefined;

  beforeAll(async () => {
    redisPort = await freePort();
    stopRedis = await startOwnRedis(redisPort);
    const turn = inTurn();
    const args = [APP, platform, origin, upstream.url, String(redisPort)];
    await cluster.start(args, (headers) => home ?? turn(headers), publicPort);
  });
  beforeEach(async () => {
    home = undefined;
    if (cluster.children[0]!.killed) await cluster.replace(0);
  });
  afterAll(async () => {
    await cluster.stop();
    await stopRedis();
  });

  const call = (token: string | undefined, name = 'who') =>
    postModern(wire(`${origin}/_mcp/messages`), {
      method: 'tools/call',
      params: { name },
      headers: { authorization: `Bearer ${token}` },
    });
  async function whoIs(token: string | undefined) {
    const { status, message } = await call(token);
    expect(status).toBe(200);
    const [content] = message.result!['content'] as { text: string }[];
    return JSON.parse(content?.text ?? '') as { pid: number };
  }
  const saidOf = (person: string) => ({
    id: `${issuer}#${person}`,
    email: `${person}@example.com`,
    upstream: person,
    pid: expect.any(Number),
  });

  /** From nothing to a code. */
  async function codeOf(client: HandClient, person: string): Promise<string> {
    const jar = new BrowserJar();
    const { html } = await toConsent(jar, await client.authorization(), person);
    const { url } = await press(jar, origin, html, 'approve');
    return url.searchParams.get('code') ?? '';
  }

  // First: a process that has verified tokens looks for new keys once in a while only.
  it('sign with the same keys when Redis lost them and one of them is replaced', async () => {
    await stopRedis();
    stopRedis = await startOwnRedis(redisPort);
    await cluster.replace(0);
    // The other has the keys of before, and the new one found none.
    for (home of [1, 0]) {
      const client = new HandClient(issuer);
      const { body } = await client.exchange(await codeOf(client, 'ada'));
      for (home of [0, 1]) expect(await whoIs(body['access_token'])).toEqual(saidOf('ada'));
    }
  });

  it('take each step of a login from the other, up to its end', async () => {
    for (const [one, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const client = new HandClient(issuer);
      const jar = new BrowserJar();
      home = one;
      const authorization = await client.authorization();
      home = other;
      const { html } = await toConsent(jar, authorization, 'ada');
      home = one;
      const { url } = await press(jar, origin, html, 'approve');
      home = other;
      const issued = await client.exchange(url.searchParams.get('code') ?? '');
      home = one;
      const { pid } = cluster.children[one]!;
      expect(await whoIs(issued.body['access_token'])).toEqual({ ...saidOf('ada'), pid });
      const renewed = await client.refresh(issued.body['refresh_token']);
      home = other;
      expect(await whoIs(renewed.body['access_token'])).toEqual({
        ...saidOf('ada'),
        pid: cluster.children[other]!.pid,
      });
      expect((await client.revoke(renewed.body['refresh_token'])).status).toBe(200);
      home = one;
      const late = await client.refresh(renewed.body['refresh_token']);
      expect([late.status, late.body['error']]).toEqual([400, 'invalid_grant']);
    }
  });

  it(
    'never give a person what is of another, in interleaved logins and calls',
    async () => {
      const shared = new HandClient(issuer);
      await shared.authorization();
      const people = Array.from({ length: PEOPLE }, (_, i) => {
        const client = new HandClient(issuer);
        // Half of them use one program.
        if (i % 2 === 0) client.id = shared.id;
        return { name: `person-${i}`, client, jar: new BrowserJar() };
      });
      const pages = await Promise.all(
        people.map(async ({ name, client, jar }) => {
          const { html } = await toConsent(jar, await client.authorization(), name);
          expect(html).toContain(`<bdi>${name}</bdi> at Example Hub`);
          return html;
        }),
      );
      const codes = await Promise.all(
        people.map(async ({ jar }, i) => {
          const foreign = await press(jar, origin, pages[(i + 2) % PEOPLE]!, 'approve');
          expect(foreign.response.status).toBe(400);
          const { url } = await press(jar, origin, pages[i]!, 'approve');
          return url.searchParams.get('code') ?? '';
        }),
      );
      const pids = new Set<unknown>();
      let left = CALLS;
      await Promise.all(
        people.map(async ({ name, client }, i) => {
          const thief = people[(i + 1) % PEOPLE]!.client;
          let { body } = await client.exchange(codes[i]!);
          for (let id = 1; left-- > 0; id++) {
            const said = await whoIs(body['access_token']);
            expect(said).toEqual(saidOf(name));
            pids.add(said.pid);
            if (id % RENEWED !== 0) continue;
            const stolen = await thief.refresh(body['refresh_token']);
            expect(stolen.body['error']).toBe('invalid_grant');
            const renewed = await client.refresh(body['refresh_token']);
            expect(renewed.status).toBe(200);
            ({ body } = renewed);
          }
        }),
      );
      expect(pids).toEqual(new Set(cluster.children.map(({ pid }) => pid)));
    },
    Math.max(300_000, CALLS * 150),
  );

  it('go on with a login when the one that took the consent is killed', async () => {
    const client = new HandClient(issuer);
    home = 0;
    const code = await codeOf(client, 'ada');
    await cluster.kill(0);
    home = undefined;
    const { status, body } = await client.exchange(code);
    expect(status).toBe(200);
    expect(await whoIs(body['access_token'])).toEqual(saidOf('ada'));
    expect((await client.refresh(body['refresh_token'])).status).toBe(200);
  });

  it('answer 503 while Redis is away, and recover without a restart', async () => {
    const client = new HandClient(issuer);
    const { body } = await client.exchange(await codeOf(client, 'ada'));
    for (home of [0, 1]) await whoIs(body['access_token']);
    await stopRedis();
    const login = await client.authorization();
    for (home of [0, 1]) {
      const answers = await Promise.all([
        new HandClient(issuer).register(),
        new BrowserJar().go(login),
        fetch(`${issuer}/token`, {
          method: 'POST',
          body: new URLSearchParams({
            client_id: client.id,
            grant_type: 'refresh_token',
            refresh_token: body['refresh_token'] ?? '',
          }),
        }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
      const token = answers[2] as Response;
      expect(token.headers.get('retry-after')).toBe('5');
      expect(await token.json()).toMatchObject({ error: 'temporarily_unavailable' });
      // Neither the keys nor a token need the store.
      expect((await fetch(`${issuer}/jwks`)).status).toBe(200);
      expect((await call(body['access_token'], 'pid')).status).toBe(200);
    }
    stopRedis = await startOwnRedis(redisPort);
    for (home of [0, 1]) {
      await until(async () => (await new HandClient(issuer).register()).status === 201);
    }
    home = undefined;
    // This Redis keeps nothing: the client registers again.
    expect((await client.refresh(body['refresh_token'])).body['error']).toBe('invalid_client');
    const again = new HandClient(issuer);
    const issued = await again.exchange(await codeOf(again, 'bob'));
    for (home of [0, 1]) {
      expect(await whoIs(issued.body['access_token'])).toEqual(saidOf('bob'));
    }
  });
});
