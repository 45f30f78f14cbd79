import { request as httpRequest } from 'node:http';
import fastifyHelmet from '@fastify/helmet';
import { Controller, Get, Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import helmet from 'helmet';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { type PanelOptions, PanelModule, PanelUnprotectedError } from '@fledge/panel';

@Controller('tasks')
class TasksController {
  @Get()
  list() {
    return ['a'];
  }
}

const callerWith = (headers: object) => ({ name: 'Ada', headers });
const ADA = callerWith({ authorization: 'Bearer ada' });

const KEY = Symbol('key');

@Module({ providers: [{ provide: KEY, useValue: 'secret' }], exports: [KEY] })
class KeyModule {}

const moduleWith = (options?: PanelOptions) => {
  @Module({ imports: [PanelModule.forRoot(options)], controllers: [TasksController] })
  class AppModule {}
  return AppModule;
};

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Sends a request as written: fetch() would normalize the path and refuse a Host. */
function send(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const JSON_BODY = { 'content-type': 'application/json' };
const CROSS_SITE_NAVIGATION = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

const codeOf = ({ text }: Answer) => (JSON.parse(text) as { code: string }).code;

afterEach(async () => {
  process.env['NODE_ENV'] = 'test';
  await closeAll();
});

describe.each(platforms)('the panel on $name', (platform) => {
  it('redirects to its page without knowing its prefix, and sets its own headers', async () => {
    const { url } = await serve(moduleWith(), platform, (app) => {
      app.setGlobalPrefix('api');
      app.enableCors({ origin: true, credentials: true });
    });
    const bare = await send(url, '/api/_fledge', { headers: { origin: url } });
    expect([bare.status, bare.headers['location']]).toEqual([308, './_fledge/']);
    expect(bare.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expect(bare.headers).not.toHaveProperty('access-control-allow-origin');
    expect((await send(url, '/_fledge/')).status).toBe(404);
  });

  it('says which packages are missing, and how to add them', async () => {
    const { url } = await serve(moduleWith(), platform);
    const { text, headers } = await send(url, '/_fledge/api/state');
    expect(headers['cache-control']).toBe('no-store');
    expect(JSON.parse(text)).toMatchObject({
      app: { name: 'application', platform: platform.name.toLowerCase() },
      tools: { installed: false, cure: expect.stringContaining('@fledge/mcp') },
      tenants: { installed: false, cure: expect.stringContaining('@fledge/tenant') },
      queries: { installed: false, cure: expect.stringContaining('@fledge/query') },
      graphql: { installed: false, cure: expect.stringContaining('@fledge/graphql') },
      snapshots: { adapters: [{ name: 'PanelAdapter' }], errors: [] },
    });
  });

  it.each([
    ['a rebinding host', { host: 'evil.example' }, 'PANEL_HOST_NOT_ALLOWED'],
    ['a host like localhost', { host: 'localhost.evil.example' }, 'PANEL_HOST_NOT_ALLOWED'],
    ['a proxy for a public host', { 'x-forwarded-host': 'evil.example' }, 'PANEL_HOST_NOT_ALLOWED'],
    ['a proxied client', { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }, 'PANEL_NOT_LOCAL'],
    ['a proxied client, RFC 7239', { forwarded: 'for="[2001:db8::1]:80"' }, 'PANEL_NOT_LOCAL'],
    ['a foreign origin', { origin: 'https://evil.example' }, 'PANEL_FOREIGN_ORIGIN'],
    ['a sandboxed page', { origin: 'null' }, 'PANEL_FOREIGN_ORIGIN'],
    ['a cross-site script', { 'sec-fetch-site': 'cross-site' }, 'PANEL_FOREIGN_ORIGIN'],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }, 'PANEL_FOREIGN_ORIGIN'],
    ['a cross-site navigation to JSON', CROSS_SITE_NAVIGATION, 'PANEL_FOREIGN_ORIGIN'],
  ])('refuses %s', async (_case, headers, code) => {
    const { url } = await serve(moduleWith(), platform);
    for (const path of ['/_fledge/api/state', '/_fledge/api/calls/stream']) {
      const answer = await send(url, path, { headers: headers });
      expect([answer.status, codeOf(answer)]).toEqual([403, code]);
    }
    const action = { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: '{"key":"1"}' };
    expect(codeOf(await send(url, '/_fledge/api/sessions/end', action))).toBe(code);
  });

  it('lets a link of another site open the page, and a listed host', async () => {
    const { url } = await serve(moduleWith({ hosts: ['Dev.Example.com'] }), platform);
    const opened = { ...CROSS_SITE_NAVIGATION, host: 'dev.example.com:8443' };
    expect((await send(url, '/_fledge', { headers: opened })).status).toBe(308);
    const local = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '::1' };
    expect((await send(url, '/_fledge/api/app', { headers: local })).status).toBe(200);
  });

  it.each([
    '/_fledge/../package.json',
    '/_fledge/..%2f..%2fpackage.json',
    '/_fledge/%2e%2e/x',
    '/_fledge/__proto__',
    '/_fledge/api/constructor',
    '/_fledge//etc/passwd',
  ])('has nothing at %s', async (path) => {
    const { url } = await serve(moduleWith(), platform);
    expect((await send(url, path)).status).toBe(404);
  });

  it.each([
    ['GET', '/_fledge/api/sessions/end', '', 405, 'PANEL_METHOD'],
    ['DELETE', '/_fledge/api/state', '', 405, 'PANEL_METHOD'],
    ['POST', '/_fledge/api/sessions/end', '{"key":1}', 400, 'PANEL_BAD_BODY'],
    ['POST', '/_fledge/api/sessions/end', '[]', 400, 'PANEL_BAD_BODY'],
    ['POST', '/_fledge/api/sessions/end', '{"key":"1"}', 404, 'PANEL_NOT_INSTALLED'],
    ['POST', '/_fledge/api/tenants/ask', '{"path":"x"}', 400, 'PANEL_BAD_BODY'],
    ['POST', '/_fledge/api/tenants/ask', '{"headers":{"a b":"c"}}', 400, 'PANEL_BAD_BODY'],
  ])('answers %s %s with %s by a clear refusal', async (method, path, body, status, code) => {
    const { url } = await serve(moduleWith(), platform);
    const answer = await send(url, path, { method, headers: body ? JSON_BODY : {}, body });
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
    const form = await send(url, path, { method, headers: { 'content-type': 'text/plain' }, body });
    expect(form.status).toBe(method === 'POST' ? 415 : 405);
  });

  it('refuses a body that is too large, when it reads the body itself', async () => {
    const { url } = await serve(moduleWith(), platform, undefined, { bodyParser: false });
    const body = JSON.stringify({ key: 'x'.repeat(100_000) });
    const sent = { method: 'POST', headers: JSON_BODY, body };
    expect(codeOf(await send(url, '/_fledge/api/sessions/end', sent))).toBe('PANEL_BODY_TOO_LARGE');
  });

  it('asks authorize in place of peer and host, and refuses what is not true', async () => {
    const answers: Record<string, () => unknown> = {
      yes: () => true,
      later: () => Promise.resolve(true),
      no: () => false,
      truthy: () => ({ admin: true }),
      throws: () => {
        throw new Error('db down');
      },
      rejects: () => Promise.reject(new Error('db down')),
    };
    const authorize = ({ headers }: { headers: Record<string, unknown> }) =>
      answers[String(headers['x-case'])]?.() as boolean;
    const { url } = await serve(moduleWith({ authorize: authorize }), platform);
    const outcomes = await Promise.all(
      Object.keys(answers).map(async (name) => {
        const headers = { 'x-case': name, host: 'app.example.com' };
        return (await send(url, '/_fledge/api/app', { headers })).status;
      }),
    );
    expect(outcomes).toEqual([200, 200, 403, 403, 403, 403]);
    const foreign = { 'x-case': 'yes', 'sec-fetch-site': 'cross-site' };
    expect((await send(url, '/_fledge/api/app', { headers: foreign })).status).toBe(403);
  });

  it('is off in production, and needs authorize there', async () => {
    process.env['NODE_ENV'] = 'production';
    expect(() => PanelModule.forRoot({ enabled: true })).toThrow(PanelUnprotectedError);
    const off = await serve(moduleWith(), platform);
    expect((await send(off.url, '/_fledge/api/app')).status).toBe(404);
    const on = await serve(moduleWith({ authorize: () => true }), platform);
    expect((await send(on.url, '/_fledge/api/app')).status).toBe(200);
  });

  it('takes its options from providers', async () => {
    const asyncWith = (options: PanelOptions | undefined) =>
      PanelModule.forRootAsync({
        imports: [KeyModule],
        inject: [KEY],
        useFactory: (key: string) =>
          options && { ...options, authorize: ({ headers }) => headers['x-key'] === key },
      } as Parameters<typeof PanelModule.forRootAsync>[0]);
    const statusOf = async (options: PanelOptions | undefined, headers = {}) => {
      const { url } = await serve({ imports: [asyncWith(options)] }, platform);
      return (await send(url, '/_fledge/api/app', { headers })).status;
    };
    expect(await statusOf({ name: 'shop' })).toBe(403);
    expect(await statusOf({ name: 'shop' }, { 'x-key': 'secret' })).toBe(200);
    expect(await statusOf({ enabled: false }, { 'x-key': 'secret' })).toBe(404);
    expect(await statusOf(undefined)).toBe(200);
    process.env['NODE_ENV'] = 'production';
    expect(await statusOf(undefined)).toBe(404);
    expect(await statusOf({}, { 'x-key': 'secret' })).toBe(200);
    await expect(statusOf({ hosts: ['http://a'] })).rejects.toThrow('host names');
  });

  it("keeps its headers where helmet sets the application's", async () => {
    const { url } = await serve(moduleWith(), platform, (app) => {
      if (platform.name === 'Express') app.use(helmet());
      else void (app as NestFastifyApplication).register(fastifyHelmet as never);
    });
    const { status, headers } = await send(url, '/_fledge/api/app');
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    const route = await send(url, '/tasks');
    expect(route.headers['content-security-policy']).toMatch(/^default-src 'self'/);
  });
});

describe('PanelModule.forRoot()', () => {
  it.each([
    [{ autorize: () => true }, 'Did you mean authorize'],
    [{ authorize: 'yes' }, 'a function'],
    [{ enabled: 'no' }, 'true or false'],
    [{ hosts: ['http://a'] }, 'host names'],
    [{ name: 1 }, 'a string'],
    [{ callers: {} }, '{ callers }) is an object, but must be a list.'],
    [
      { callers: [{ name: 'Ada', header: {} }] },
      '{ callers[0].header }) is not an option. Did you mean headers?',
    ],
    [{ callers: [{ headers: {} }] }, '{ callers[0].name }) is undefined, but must be a name that'],
    [{ callers: [ADA, ADA] }, '{ callers[1].name }) must differ from the name of callers[0]'],
    [{ callers: [{ name: 'Ada' }] }, "such as { authorization: 'Bearer demo-token-ada' }"],
    [{ callers: [{ name: 'Ada', headers: ['a'] }] }, '{ callers[0].headers }) must be an object'],
    [{ callers: [callerWith({ 'a b': 'c' })] }, '"a b" is not a valid header name'],
    [
      { callers: [callerWith({ Cookie: 'c' })] },
      'browsers do not let a page set the header "Cookie"',
    ],
    [{ callers: [callerWith({ a: 'b\nc' })] }, 'the value of "a" is not a valid'],
    [{ callers: [callerWith({ a: 1 })] }, 'the value of "a" is not a valid'],
  ])('refuses %j', (options, message) => {
    expect(() => PanelModule.forRoot(options as never)).toThrow(
      expect.objectContaining({
        code: 'PANEL_BAD_OPTION',
        message: expect.stringContaining(message),
      }),
    );
  });
});
