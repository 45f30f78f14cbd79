// From the URL of the endpoint to a tool call: the official clients, a real authorization server, a real browser.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Browser } from 'playwright-core';
import { McpCall, McpModule, McpTool } from '../../src/index.js';
import { connection } from '../oidc/connection.js';
import { type Callback, callback, logIn, loginClient } from '../oidc/login.js';
import { eras } from '../support/eras.js';
import { INITIALIZE, wire } from '../support/wire.js';
import { launch } from '../../../../test/browsers/support/browser.js';
import { closeNow } from '../../../../test/support/close-now.js';
import { createApp, platforms } from '../../../../test/support/platforms.js';
import { freePort, type Running, start } from '../../../../test/support/processes.js';
import { until } from '../../../../test/support/until.js';
import { LONGEST_WAIT_MS } from '../../../../test/support/longest-wait.js';

@Controller('who')
class WhoController {
  constructor(private readonly mcp: McpCall) {}

  @Get()
  @McpTool({ name: 'who', description: 'Tells who calls', scopes: ['tasks.read'] })
  who() {
    return { id: this.mcp.principal?.id };
  }
}

let browser: Browser;
let port: number;
let provider: Running;
let keys: JWK;

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
}

async function startProvider(at: number, key: JWK): Promise<Running> {
  const env = { PORT: String(at), KEYS: JSON.stringify({ keys: [key] }) };
  const running = start(process.execPath, ['libs/mcp/test/oidc/provider.mjs'], env);
  await running.until(/listening/);
  return running;
}

/** An access token of a client without a person, from the token endpoint. */
async function robotToken(at: number, resource: string, client = 'robot'): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${at}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:machine-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope: 'tasks.read' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

beforeAll(async () => {
  [browser, port, keys] = await Promise.all([launch(), freePort(), newKey('first')]);
  provider = await startProvider(port, keys);
});
afterAll(async () => {
  await Promise.all([browser.close(), provider.stop()]);
});

describe.each(platforms)('an application with a provider on $name', ({ adapter }) => {
  let app: INestApplication;
  let endpoint: string;

  beforeAll(async () => {
    const own = await freePort();
    endpoint = `http://127.0.0.1:${own}/_mcp/messages`;
    app = await createApp(
      {
        imports: [
          McpModule.forRoot({
            name: 'tasks',
            // Each look at a status opens one.
            sessions: { max: 10_000 },
            auth: {
              type: 'oidc',
              issuer: `http://127.0.0.1:${port}`,
              audience: endpoint,
              clockToleranceMs: 0,
              keyCacheMs: 1,
            },
          }),
        ],
        controllers: [WhoController],
      },
      adapter(),
    );
    await app.listen(own, '127.0.0.1');
  });
  afterAll(() => closeNow(app));

  let back: Callback | undefined;
  afterEach(() => back?.close());

  const statusFor = async (token: string) =>
    (await wire(endpoint).post(INITIALIZE, { authorization: `Bearer ${token}` })).status;

  it.each(eras)('logs in a client of %s that has nothing but the URL', async (era) => {
    back = await callback();
    const client = loginClient(back.url);
    const first = connection(era, endpoint, client);
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const { authorization, information } = client.saved;
    expect(information?.client_id).toMatch(/./);
    expect(Object.fromEntries(authorization?.searchParams ?? [])).toMatchObject({
      resource: endpoint,
      code_challenge_method: 'S256',
      scope: expect.stringContaining('tasks.read'),
    });

    const page = await browser.newPage();
    page.setDefaultTimeout(LONGEST_WAIT_MS);
    await logIn(page, authorization as URL, 'ada');
    await page.close();
    await first.finish(await back.answer);

    const second = connection(era, endpoint, client);
    await second.connect();
    const result = (await second.client.callTool({ name: 'who', arguments: {} })) as {
      content: { text: string }[];
    };
    expect(JSON.parse(result.content[0]?.text ?? '')).toEqual({
      id: `http://127.0.0.1:${port}#ada`,
    });
    await second.client.close();
  });

  it('refuses tokens of the provider that expired, or are for another application', async () => {
    const brief = await robotToken(port, endpoint, 'brief');
    expect(await statusFor(await robotToken(port, endpoint))).toBe(200);
    expect(await statusFor(await robotToken(port, 'https://other.example.com/mcp'))).toBe(401);
    await until(async () => (await statusFor(brief)) === 401);
  });

  it('refuses tokens of another issuer, although it has the same key', async () => {
    const at = await freePort();
    const other = await startProvider(at, keys);
    expect(await statusFor(await robotToken(at, endpoint))).toBe(401);
    await other.stop();
  });

  it('answers 503 while the provider is down, and refuses tokens of a revoked key after', async () => {
    const token = await robotToken(port, endpoint);
    expect(await statusFor(token)).toBe(200);
    await provider.stop();
    await sleep(5);
    expect(await statusFor(token)).toBe(503);
    keys = await newKey('next');
    provider = await startProvider(port, keys);
    await until(async () => (await statusFor(token)) === 401);
    expect(await statusFor(await robotToken(port, endpoint))).toBe(200);
  });
});
