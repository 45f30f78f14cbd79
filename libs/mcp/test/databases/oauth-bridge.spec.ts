// Needs Redis.
// The bridge to a provider without registration: each trap of its threat model, by hand.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type INestApplication, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { decodeJwt } from 'jose';
import { OauthBridge, redisBridgeStore } from '../../src/oauth-bridge/index.js';
import {
  HandClient,
  press,
  startBridge,
  startUpstream,
  toConsent,
  trap,
  upstreamLogin,
} from '../oidc/bridge.js';
import { BrowserJar } from '../support/browser-jar.js';
import { INITIALIZE, wire } from '../support/wire.js';
import { closeNow } from '../../../../test/support/close-now.js';
import { platforms } from '../../../../test/support/platforms.js';
import { freePort, type Running } from '../../../../test/support/processes.js';

describe.each(platforms)('a bridge on $name', (platform) => {
  const prefix = `spec:bridge:${process.pid}:${platform.name}:`;
  let redis: Redis;
  let app: INestApplication;
  let second: INestApplication;
  let upstream: { url: string; running: Running };
  let origin: string;
  let issuer: string;
  let otherIssuer: string;

  beforeAll(async () => {
    jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
    redis = new Redis(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
    const port = await freePort();
    origin = `http://127.0.0.1:${port}`;
    issuer = `${origin}/oauth`;
    upstream = await startUpstream(`${issuer}/interaction/callback`);
    const store = redisBridgeStore({ client: redis, prefix });
    app = await startBridge(platform, port, upstream.url, { store });
    // A second process of the application, which a proxy would reach by the same URL.
    const otherPort = await freePort();
    otherIssuer = `http://127.0.0.1:${otherPort}/oauth`;
    second = await startBridge(platform, otherPort, upstream.url, {
      store,
      issuer,
      resources: [`${origin}/_mcp/messages`],
    });
  });
  afterAll(async () => {
    await Promise.all([closeNow(app), closeNow(second), upstream.running.stop()]);
    const keys = await redis.keys(`${prefix}*`);
    if (keys.length > 0) await redis.del(keys);
    await redis.quit();
    jest.restoreAllMocks();
  });

  /** From nothing to a code. */
  async function codeOf(client: HandClient, jar = new BrowserJar(), person = 'ada') {
    const { html } = await toConsent(jar, await client.authorization(), person);
    const { url } = await press(jar, origin, html, 'approve');
    return url.searchParams;
  }

  it('has metadata at each well-known path, with addresses of its issuer only', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server/oauth',
      '/.well-known/openid-configuration/oauth',
      '/oauth/.well-known/openid-configuration',
    ]) {
      const headers = { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' };
      const answer = await fetch(origin + path, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      const document = (await answer.json()) as Record<string, unknown>;
      expect(document).toMatchObject({
        issuer,
        registration_endpoint: `${issuer}/reg`,
        token_endpoint: `${issuer}/token`,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
        response_types_supported: ['code'],
      });
      expect(JSON.stringify(document)).not.toContain('evil');
    }
  });

  it('gives own tokens, and keeps those of the provider to itself, encrypted', async () => {
    const client = new HandClient(issuer);
    const answer = await codeOf(client);
    expect([answer.get('iss'), answer.get('state')]).toEqual([issuer, 'client-state']);
    const { status, body } = await client.exchange(answer.get('code') ?? '');
    expect(status).toBe(200);
    const claims = decodeJwt(body['access_token'] ?? '');
    expect(claims).toMatchObject({
      iss: issuer,
      sub: 'ada',
      aud: `${origin}/_mcp/messages`,
      scope: 'tasks.read',
      email: 'ada@example.com',
    });
    const authorization = `Bearer ${body['access_token']}`;
    const { status: admitted } = await wire(`${origin}/_mcp/messages`).post(INITIALIZE, {
      authorization,
    });
    expect(admitted).toBe(200);

    const tokens = await app.get(OauthBridge).upstreamTokensOf('ada');
    const me = await fetch(`${upstream.url}/me`, {
      headers: { authorization: `Bearer ${tokens?.accessToken}` },
    });
    expect(await me.json()).toMatchObject({ sub: 'ada' });
    expect(JSON.stringify(body)).not.toContain(tokens?.accessToken);
    const keys = await redis.keys(`${prefix}*`);
    const texts = await Promise.all(
      keys.map((key) => redis.get(key).catch(() => redis.smembers(key).then(String))),
    );
    expect(texts.join('\n')).not.toContain(tokens?.accessToken);
    expect(texts.some((text) => text?.includes('"client_name"'))).toBe(true);
    // A token of the provider opens nothing here.
    const foreign = await wire(`${origin}/_mcp/messages`).post(INITIALIZE, {
      authorization: `Bearer ${tokens?.accessToken}`,
    });
    expect(foreign.status).toBe(401);
    expect(await app.get(OauthBridge).upstreamTokensOf('nobody')).toBeUndefined();
  });

  it('shows who asks, where the answer goes, and asks again each time', async () => {
    const jar = new BrowserJar();
    const client = new HandClient(issuer);
    const { html } = await toConsent(jar, await client.authorization(), 'ada');
    expect(html).toContain('Hand &#60;script&#62;');
    expect(html).toContain('<bdi>ada &#60;b&#62;</bdi> at Example Hub');
    expect(html).toContain('<dd id="target">127.0.0.1</dd>');
    expect(html).toContain('any program can claim this name');
    expect(html).toContain('<li>tasks.read</li>');
    await press(jar, origin, html, 'approve');
    // Logged in by now: the provider is not asked, the person is.
    const { response } = await jar.follow(await client.authorization());
    expect(await response.text()).toContain('Allow access?');
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");

    const web = new HandClient(issuer, 'https://claude.ai/api/mcp/auth_callback');
    const page = await toConsent(
      new BrowserJar(),
      await web.authorization({ scope: undefined }),
      'ada',
    );
    expect(page.html).toContain('<dd id="target">claude.ai</dd>');
    expect(page.html).not.toContain('any program');
  });

  it.each([
    ['Evil\u202Eclient', '<strong><bdi>Evilclient</bdi></strong> requests access on your behalf.'],
    [
      '\u2067A\u2066\u200FB\n\u2028',
      '<strong><bdi>AB</bdi></strong> requests access on your behalf.',
    ],
    ['\u05D0\u05D1', '<strong><bdi>\u05D0\u05D1</bdi></strong> requests access on your behalf.'],
  ])('shows the name %j without turning the words around it', async (client_name, shown) => {
    const client = new HandClient(issuer);
    client.id = (
      (await (await client.register({ client_name })).json()) as { client_id: string }
    ).client_id;
    const { html } = await toConsent(new BrowserJar(), await client.authorization(), 'ada');
    expect(html).toContain(shown);
  });

  it('shows the id of a client whose name has nothing to see', async () => {
    const client = new HandClient(issuer);
    const registered = await client.register({ client_name: '\u202E \u200F' });
    client.id = ((await registered.json()) as { client_id: string }).client_id;
    const { html } = await toConsent(new BrowserJar(), await client.authorization(), 'ada');
    expect(html).toContain(`<strong><bdi>${client.id}</bdi></strong>`);
  });

  it('gives nothing to a client that the person denies, or to a person who may not enter', async () => {
    const jar = new BrowserJar();
    const client = new HandClient(issuer);
    const { html } = await toConsent(jar, await client.authorization(), 'ada');
    const { url } = await press(jar, origin, html, 'deny');
    expect([url.searchParams.get('error'), url.searchParams.get('code')]).toEqual([
      'access_denied',
      null,
    ]);

    const other = new BrowserJar();
    const back = await upstreamLogin(other, await client.authorization(), 'mallory');
    const denied = await other.follow(back, (next) => next.pathname === '/callback');
    expect(denied.url.searchParams.get('error')).toBe('access_denied');
  });

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,x'],
    ['file:///etc/passwd'],
    ['http://evil.example.com/callback'],
    ['ftp://evil.example.com/callback'],
    ['sftp://evil.example.com/callback'],
    ['FTP://evil.example.com/callback'],
    ['ws://evil.example.com/callback'],
    ['wss://evil.example.com/callback'],
    ['ldap://evil.example.com/callback'],
    ['ssh://evil.example.com/callback'],
    ['smb://evil.example.com/callback'],
    ['mailto:mallory@evil.example.com'],
    ['blob:https://evil.example.com/callback'],
    ['intent://evil.example.com/#Intent;end'],
    ['https://a.example/callback#fragment'],
    ['no url'],
  ])('registers no client with the redirect %s', async (redirect) => {
    for (const application_type of ['native', 'web', undefined]) {
      const { status } = await new HandClient(issuer, redirect).register({ application_type });
      expect([application_type, status]).toEqual([application_type, 400]);
    }
  });

  it.each([
    ['http://127.0.0.1:1/callback'],
    ['http://localhost:1234/callback'],
    ['https://claude.ai/api/mcp/auth_callback'],
    ['cursor://anysphere.cursor-mcp/oauth/callback'],
    ['com.example.app:/oauth/callback'],
    ['vscode://publisher.extension/callback'],
  ])('registers a client with the redirect %s', async (redirect) => {
    expect((await new HandClient(issuer, redirect).register()).status).toBe(201);
  });

  it('sends an answer to the exact redirect only, with any port on loopback', async () => {
    const client = new HandClient(issuer, 'https://claude.ai/api/mcp/auth_callback');
    for (const redirect_uri of [
      'https://claude.ai/api/mcp/auth_callback/',
      'https://claude.ai/api/mcp/auth_callback?x=1',
      'https://claude.ai.evil.example.com/api/mcp/auth_callback',
      'https://claude.ai:444/api/mcp/auth_callback',
    ]) {
      const answer = await new BrowserJar().go(await client.authorization({ redirect_uri }));
      expect([redirect_uri, answer.status, answer.headers.get('location')]).toEqual([
        redirect_uri,
        400,
        null,
      ]);
    }
    const local = new HandClient(issuer);
    const other = await local.authorization({ redirect_uri: 'http://127.0.0.1:9/callback' });
    expect((await new BrowserJar().go(other)).status).toBe(303);
    const path = await local.authorization({ redirect_uri: 'http://127.0.0.1:7777/other' });
    expect((await new BrowserJar().go(path)).status).toBe(400);
  });

  it('requires PKCE with S256 of clients, and uses it at the provider', async () => {
    const client = new HandClient(issuer);
    for (const parameters of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: client.verifier, code_challenge_method: 'plain' },
    ]) {
      const answer = await new BrowserJar().go(await client.authorization(parameters));
      expect(answer.headers.get('location')).toContain('error=invalid_request');
    }
    const { url } = await new BrowserJar().follow(
      await client.authorization(),
      (next) => next.origin === upstream.url,
    );
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/./),
      nonce: expect.stringMatching(/./),
      client_id: 'bridge',
    });
    const code = (await codeOf(client)).get('code') ?? '';
    expect((await client.exchange(code, { code_verifier: 'x'.repeat(43) })).status).toBe(400);
  });

  it('continues a login in the browser that started it, once, with its own state', async () => {
    const client = new HandClient(issuer);
    const jar = new BrowserJar();
    const back = await upstreamLogin(jar, await client.authorization(), 'ada');
    expect((await new BrowserJar().go(back)).status).toBe(400);
    const victim = new BrowserJar();
    await victim.follow(await client.authorization(), (next) => next.origin === upstream.url);
    const injected = await victim.follow(back, (next) => next.pathname === '/callback');
    expect(injected.url.searchParams.get('error')).toBe('access_denied');

    expect((await jar.follow(back)).response.status).toBe(200);
    expect((await jar.go(back)).status).toBe(400);
  });

  it('takes consent from the page of this request only', async () => {
    const jar = new BrowserJar();
    const client = new HandClient(issuer);
    const first = await toConsent(jar, await client.authorization(), 'ada');
    const other = new HandClient(issuer, 'https://other.example.com/callback');
    const newer = await jar.follow(await other.authorization());
    expect(await newer.response.text()).toContain('other.example.com');
    // The cookie is now that of the newer request: the older page must not allow that one.
    expect((await press(jar, origin, first.html, 'approve')).response.status).toBe(400);
    expect((await press(new BrowserJar(), origin, first.html, 'approve')).response.status).toBe(
      400,
    );
    expect((await jar.go(`${issuer}/interaction/approve`)).status).toBe(404);
    expect((await jar.go(`${issuer}/interaction/approve`, {})).status).toBe(400);
    expect((await jar.go(`${issuer}/interaction/nothing`)).status).toBe(404);
  });

  it('takes a code once, also of two processes at one time', async () => {
    const client = new HandClient(issuer);
    const code = (await codeOf(client)).get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirect,
      code_verifier: client.verifier,
    };
    const both = await Promise.all([client.token(form), client.token(form, otherIssuer)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  it('takes a replaced refresh token for a minute, then ends the login', async () => {
    const client = new HandClient(issuer);
    const { body } = await client.exchange((await codeOf(client)).get('code') ?? '');
    const first = body['refresh_token'];
    const together = await Promise.all([client.refresh(first), client.refresh(first, otherIssuer)]);
    const renewed = [...together, await client.refresh(first)];
    for (const { status, body: tokens } of renewed) {
      expect(status).toBe(200);
      expect(decodeJwt(tokens['access_token'] ?? '')).toMatchObject({ iss: issuer, sub: 'ada' });
    }
    const successors = renewed.map((each) => each.body['refresh_token']);
    expect(new Set([first, ...successors]).size).toBe(4);

    const now = Date.now;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
    try {
      const latest = await client.refresh(successors[0], otherIssuer);
      expect(latest.status).toBe(200);
      // Someone used a stolen token: the whole login ends.
      for (const token of [first, ...successors, latest.body['refresh_token']]) {
        expect((await client.refresh(token)).body['error']).toBe('invalid_grant');
      }
    } finally {
      clock.mockRestore();
    }
  });

  it('keeps a login in use longer than the browser session and refreshTokenTtlMs', async () => {
    const client = new HandClient(issuer);
    const jar = new BrowserJar();
    const logIn = async (html: string) => {
      const { url } = await press(jar, origin, html, 'approve');
      return (await client.exchange(url.searchParams.get('code') ?? '')).body['refresh_token'];
    };
    const noOffline = await client.authorization({ scope: 'tasks.read' });
    const first = await logIn((await toConsent(jar, noOffline, 'ada')).html);
    const { response } = await jar.follow(noOffline);
    const second = await logIn(await response.text());

    const now = Date.now;
    for (let token of [first, second]) {
      for (const days of [2, 31, 60]) {
        const grants = await redis.keys(`${prefix}Grant:*`);
        for (const grant of grants) await redis.pexpire(grant, 60_000);
        const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + days * 86_400_000);
        const { status, body } = await client.refresh(token).finally(() => clock.mockRestore());
        expect([days, status]).toEqual([days, 200]);
        token = body['refresh_token'];
        const lifetimes = await Promise.all(grants.map((grant) => redis.pttl(grant)));
        expect(lifetimes.filter((ms) => ms > 60_000)).toHaveLength(1);
      }
    }
  });

  it('takes no replaced refresh token after its successor was revoked', async () => {
    const client = new HandClient(issuer);
    const { body } = await client.exchange((await codeOf(client)).get('code') ?? '');
    const renewed = await client.refresh(body['refresh_token']);
    expect((await client.revoke(renewed.body['refresh_token'], otherIssuer)).status).toBe(200);
    expect((await client.refresh(body['refresh_token'])).body['error']).toBe('invalid_grant');
  });

  it('takes a refresh token once with refreshTokenReuseMs: 0', async () => {
    const port = await freePort();
    const strict = await startBridge(platform, port, upstream.url, {
      store: redisBridgeStore({ client: redis, prefix }),
      issuer,
      resources: [`${origin}/_mcp/messages`],
      refreshTokenReuseMs: 0,
    });
    try {
      const client = new HandClient(issuer);
      const { body } = await client.exchange((await codeOf(client)).get('code') ?? '');
      const refresh = (token: string | undefined) =>
        client.refresh(token, `http://127.0.0.1:${port}/oauth`);
      const renewed = await refresh(body['refresh_token']);
      expect(renewed.status).toBe(200);
      for (const token of [body['refresh_token'], renewed.body['refresh_token']]) {
        expect((await refresh(token)).body['error']).toBe('invalid_grant');
      }
    } finally {
      await closeNow(strict);
    }
  });

  it('logs in at a provider without metadata and ID tokens, and reads the person there', async () => {
    const seen: unknown[] = [];
    const port = await freePort();
    const own = `http://127.0.0.1:${port}/oauth`;
    const plain = await startUpstream(`${own}/interaction/callback`);
    const hub = await startBridge(platform, port, plain.url, {
      upstream: {
        name: 'Hub',
        endpoints: { authorization: `${plain.url}/auth`, token: `${plain.url}/token` },
        clientId: 'bridge',
        clientSecret: 'bridge-secret',
        scopes: ['tasks.read'],
        parameters: { resource: 'https://hub.example.com/api' },
        identify(tokens, idToken) {
          seen.push(idToken);
          return { id: String(decodeJwt(tokens.accessToken).aud) };
        },
      },
    });
    const jar = new BrowserJar();
    const client = new HandClient(own);
    const { html } = await toConsent(jar, await client.authorization(), 'ada');
    const { url } = await press(jar, `http://127.0.0.1:${port}`, html, 'approve');
    const { body } = await client.exchange(url.searchParams.get('code') ?? '');
    expect(decodeJwt(body['access_token'] ?? '').sub).toBe('https://hub.example.com/api');
    expect(seen).toEqual([undefined]);
    await Promise.all([closeNow(hub), plain.running.stop()]);
  });

  it('keeps active users and its keys when the secret is rotated', async () => {
    const [oldSecret, newSecret] = ['old '.repeat(10), 'new '.repeat(10)];
    const port = await freePort();
    const own = `http://127.0.0.1:${port}/oauth`;
    const hub = await startUpstream(`${own}/interaction/callback`);
    const store = redisBridgeStore({ client: redis, prefix: `${prefix}rotated:` });
    const client = new HandClient(own);
    const login = async () => {
      const jar = new BrowserJar();
      const { html } = await toConsent(jar, await client.authorization(), 'ada');
      const { url } = await press(jar, `http://127.0.0.1:${port}`, html, 'approve');
      return client.exchange(url.searchParams.get('code') ?? '');
    };
    const answers: { status: number; key: unknown }[] = [];
    let refresh_token = '';
    const during = async (secrets: string[], task: typeof login) => {
      const bridge = await startBridge(platform, port, hub.url, { store, secrets });
      try {
        const { status, body } = await task();
        refresh_token = body['refresh_token'] ?? '';
        answers.push({ status, key: await (await fetch(`${own}/jwks`)).json() });
      } finally {
        await closeNow(bridge);
      }
    };
    try {
      const refresh = () => client.refresh(refresh_token);
      await during([oldSecret], login);
      await during([newSecret, oldSecret], refresh);
      await during([newSecret], refresh);
    } finally {
      await hub.running.stop();
    }
    const [first] = answers;
    expect(first?.status).toBe(200);
    expect(answers).toEqual([first, first, first]);
  });

  it('issues tokens for its own resources only', async () => {
    const client = new HandClient(issuer);
    const resource = 'https://other.example.com/mcp';
    const answer = await new BrowserJar().go(await client.authorization({ resource }));
    expect(answer.headers.get('location')).toContain('error=invalid_target');
  });

  it('reads metadata of clients from the Internet only', async () => {
    const inside = await trap();
    for (const client_id of [
      `https://127.0.0.1:${inside.port}/client`,
      `https://localhost:${inside.port}/client`,
      `https://[::ffff:127.0.0.1]:${inside.port}/client`,
      `http://127.0.0.1:${inside.port}/client`,
      `https://a@127.0.0.1:${inside.port}/client`,
      `https://127.0.0.1:${inside.port}/a/../client`,
    ]) {
      const url = await new HandClient(issuer).authorization({ client_id });
      const answer = await new BrowserJar().go(url);
      expect([client_id, answer.status, answer.headers.get('location')]).toEqual([
        client_id,
        400,
        null,
      ]);
    }
    const sector = { sector_identifier_uri: `https://127.0.0.1:${inside.port}/sector` };
    const { status } = await new HandClient(issuer).register(sector);
    expect([status, inside.connections()]).toEqual([201, 0]);
    inside.server.close();
  });

  it('never answers 500, and nothing from inside, to malformed requests', async () => {
    const requests: [string, RequestInit?][] = [
      ['/oauth'],
      ['/oauth?x=1'],
      ['/oauth/'],
      ['/oauth/%'],
      ['/oauth/nothing'],
      ['/oauth/auth'],
      ['/oauth/auth?client_id=%00&client_id=b'],
      ['/oauth/reg', { method: 'POST', body: '{' }],
      [
        '/oauth/reg',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' },
      ],
      [
        '/oauth/reg',
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' },
      ],
      ['/oauth/reg', { method: 'POST', body: 'x'.repeat(100_000) }],
      ['/oauth/token', { method: 'POST', body: 'a=b' }],
      ['/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) }],
      ['/oauth/interaction/callback?code=a&state=b'],
      ['/oauth/interaction', { headers: { cookie: 'fledge_oauth_interaction=x' } }],
    ];
    for (const [path, init] of requests) {
      const answer = await fetch(origin + path, { redirect: 'manual', ...init });
      const text = await answer.text();
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      expect(text).not.toMatch(/node_modules|\.js:\d|at .*\(/);
    }
  });
});
