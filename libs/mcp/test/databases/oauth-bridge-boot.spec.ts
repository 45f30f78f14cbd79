// Needs Redis.
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import {
  OauthBridge,
  OauthBridgeModule,
  type OauthBridgeOptions,
  redisBridgeStore,
} from '../../src/oauth-bridge/index.js';
import { closeAll, createApp, platforms, serve } from '../../../../test/support/platforms.js';
import { until } from '../../../../test/support/until.js';

const upstream = { name: 'Hub', issuer: 'https://hub.example', clientId: 'a', clientSecret: 'b' };
const options: OauthBridgeOptions = {
  issuer: 'https://api.example.com/oauth',
  resources: ['https://api.example.com/_mcp/messages'],
  secrets: ['a secret with at least thirty-two bytes'],
  upstream,
};
const [express] = platforms as [(typeof platforms)[number]];

afterEach(async () => {
  await closeAll();
  jest.restoreAllMocks();
});

describe('a bridge that cannot be', () => {
  const endpoints = { authorization: 'https://hub.example/a', token: 'https://hub.example/t' };
  const withoutIssuer = { name: 'Hub', clientId: 'a', clientSecret: 'b' };

  it.each<[object, RegExp]>([
    [
      { issuer: 'https://api.example.com' },
      /issuer \}\) is .* must be the public URL .* with a path/,
    ],
    [{ issuer: 'https://api.example.com/oauth/' }, /issuer/],
    [{ issuer: 'https://api.example.com/oauth?a' }, /issuer/],
    [{ issuer: 'http://api.example.com/oauth' }, /issuer \}\) is .* must be an https URL/],
    [
      { issuer: 'https://api.example.com/_mcp' },
      /issuer \}\) must not contain the endpoint https:\/\/api.example.com\/_mcp\/messages/,
    ],
    [{ resources: [] }, /resources \}\) must be a list of URLs/],
    [{ resources: ['api://tasks'] }, /resources/],
    [{ secrets: [] }, /secrets \}\) must be a list of strings with at least 32 bytes/],
    [{ secrets: ['short'] }, /secrets/],
    [{ scopes: 'tasks.read' }, /scopes \}\) is "tasks.read", but must be a list of scopes/],
    [{ upstream: { ...upstream, scopes: 'openid email' } }, /upstream\.scopes \}\) is .* a list/],
    [{ accessTokenTtlMs: 10 }, /accessTokenTtlMs/],
    [{ refreshTokenTtlMs: 1.5 }, /refreshTokenTtlMs/],
    [{ refreshTokenReuseMs: -1 }, /refreshTokenReuseMs/],
    [{ upstream: undefined }, /upstream\.name/],
    [{ upstream: { ...upstream, clientSecret: '' } }, /upstream\.clientSecret/],
    [
      { upstream: withoutIssuer },
      /upstream\.issuer \}\) must be set, unless upstream\.endpoints is set/,
    ],
    [{ upstream: { ...upstream, endpoints: { token: 'x' } } }, /upstream\.endpoints/],
    [{ upstream: { ...upstream, endpoints } }, /upstream\.identify/],
    [{ upstream: { ...withoutIssuer, endpoints } }, /upstream\.identify \}\) must be a function/],
    [{ upstream: { ...upstream, scopes: ['email'] } }, /upstream\.identify/],
    [
      { upstream: { ...upstream, secret: 'x' } },
      /upstream\.secret \}\) is not an option. Did you mean clientSecret\?/,
    ],
  ])('says so at boot: %j', async (changes, message) => {
    const module = { imports: [OauthBridgeModule.forRoot({ ...options, ...changes })] };
    await expect(createApp(module, express.adapter())).rejects.toThrow(message);
  });
});

it('says at boot that it would handle every request of the application', async () => {
  const issuer = 'https://api.example.com/api';
  const module = { imports: [OauthBridgeModule.forRoot({ ...options, issuer })] };
  const app = await createApp(module, express.adapter());
  app.setGlobalPrefix('api/v1');
  await expect(app.init()).rejects.toThrow('has the path /api, which contains the global prefix');
});

it('warns of a store in memory', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const app = await createApp({ imports: [OauthBridgeModule.forRoot(options)] }, express.adapter());
  await app.init();
  expect(warned).toHaveBeenCalledWith(
    expect.stringContaining('are stored in memory, for development'),
  );
});

it('boots while Redis is down, answers 503, and works when Redis does', async () => {
  jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
  const client = new Redis({ port: 1, lazyConnect: true, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  const store = redisBridgeStore({ client, prefix: `spec:down:${process.pid}:` });
  const module = { imports: [OauthBridgeModule.forRoot({ ...options, store })] };
  const { app, url } = await serve(module, express);
  const status = async () =>
    (await fetch(`${url}/.well-known/oauth-authorization-server/oauth`)).status;
  expect(await status()).toBe(503);
  await expect(app.get(OauthBridge).upstreamTokensOf('ada')).rejects.toMatchObject({ status: 503 });
  const up = new URL(process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379');
  client.options.port = Number(up.port);
  await until(async () => (await status()) === 200);
  await client.del(`spec:down:${process.pid}:signing-keys`);
  await client.quit();
});

it('sets cookies for https only where the issuer is https, behind any proxy', async () => {
  jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const { url } = await serve({ imports: [OauthBridgeModule.forRoot(options)] }, express);
  const registered = await fetch(`${url}/oauth/reg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:9/callback',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const answer = await fetch(`${url}/oauth/auth?${query}`, { redirect: 'manual' });
  const cookies = answer.headers
    .getSetCookie()
    .filter((cookie) => /^fledge_oauth_interaction/.test(cookie));
  expect([answer.status, cookies.length > 0]).toEqual([303, true]);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
  }
  expect(answer.headers.get('location')).toMatch(
    /^(https:\/\/api\.example\.com)?\/oauth\/interaction$/,
  );
});
