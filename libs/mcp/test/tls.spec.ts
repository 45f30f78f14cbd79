// What a route reads of the TLS connection is the same in a tool call as in a direct request, and
// missing in both without TLS. Both go over one kept-alive connection, so that the facts can be compared.
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Controller, Get, type INestApplication, Module, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, McpTool } from '../src/index.js';

// Made for this file and worth nothing elsewhere: an authority, a server and a client of it, a stranger.
const pem = (name: string) => readFileSync(new URL(`tls/${name}.pem`, import.meta.url), 'utf8');
const identity = (name: string) => ({ cert: pem(name), key: pem(`${name}-key`) });

/** Every question a TLS socket answers about its connection. */
const METHODS = Object.getOwnPropertyNames(TLSSocket.prototype).filter((name) =>
  /^(get|is)[A-Z]/.test(name),
);
const VALUES = ['encrypted', 'authorized', 'authorizationError', 'servername', 'alpnProtocol'];

/** What is there of the facts, and what each of them says. */
function factsOf(socket: object): Record<string, unknown> {
  const at = socket as Record<string, unknown>;
  const facts: Record<string, unknown> = {};
  for (const name of VALUES) if (name in socket) facts[name] = at[name];
  for (const name of METHODS) {
    if (name in socket) facts[name] = String(JSON.stringify((at[name] as () => unknown)()));
  }
  if ('exportKeyingMaterial' in socket) {
    const exporter = at['exportKeyingMaterial'] as (length: number, label: string) => Buffer;
    facts['exportKeyingMaterial'] = exporter.call(socket, 8, 'fledge').toString('hex');
  }
  return facts;
}

@Controller('tls')
class TlsController {
  @Get()
  @McpTool({ name: 'tls', description: 'x' })
  tls(@Req() request: IncomingMessage & { raw?: IncomingMessage; protocol: string }) {
    const { socket } = request.raw ?? request;
    return { protocol: request.protocol, facts: factsOf(socket) };
  }
}

@Module({ imports: [McpModule.forRoot({ name: 'spec' })], controllers: [TlsController] })
class AppModule {}

const secure = {
  ...identity('server'),
  ca: pem('ca'),
  requestCert: true,
  rejectUnauthorized: false,
  ALPNProtocols: ['http/1.1'],
};

type Start = (httpsOptions?: typeof secure) => Promise<INestApplication>;

const logger = false;
const platforms: [string, Start][] = [
  [
    'Express',
    (httpsOptions) =>
      NestFactory.create(AppModule, new ExpressAdapter(), {
        logger,
        ...(httpsOptions && { httpsOptions }),
      }),
  ],
  [
    'Fastify',
    (httpsOptions) =>
      NestFactory.create(
        AppModule,
        new FastifyAdapter(httpsOptions ? { https: httpsOptions } : {}),
        { logger },
      ),
  ],
];

/** `fetch` with a client certificate, over one connection. */
function fetchOver(agent: http.Agent, options: RequestOptions): typeof fetch {
  return (input, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input);
      const send = url.protocol === 'https:' ? https.request : http.request;
      const headers = Object.fromEntries(new Headers(init?.headers));
      const request = send(url, { ...options, agent, method: init?.method ?? 'GET', headers });
      request.on('error', reject);
      request.on('response', (response) => {
        const body = Readable.toWeb(response) as ReadableStream;
        const { statusCode: status = 0 } = response;
        resolve(new Response(body, { status, headers: response.headers as HeadersInit }));
      });
      request.end(init?.body);
    });
}

interface Answer {
  readonly protocol: string;
  readonly facts: Record<string, unknown>;
}

describe.each(platforms)('the TLS facts of a tool call on %s', (_, start) => {
  let app: INestApplication;
  let agent: http.Agent;
  afterEach(async () => {
    agent.destroy();
    await app.close();
  });

  async function both(scheme: 'http' | 'https', client: RequestOptions = {}): Promise<Answer[]> {
    app = await start(scheme === 'https' ? secure : undefined);
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as http.Server).address() as AddressInfo;
    const { Agent } = scheme === 'https' ? https : http;
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const fetch = fetchOver(agent, { ca: pem('ca'), ...client });
    const url = `${scheme}://localhost:${port}`;
    const mcp = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await mcp.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/_mcp/messages`), { fetch }),
    );
    const direct = (await (await fetch(`${url}/tls`)).json()) as Answer;
    const { content } = await mcp.callTool({ name: 'tls', arguments: {} });
    await mcp.close();
    const [block] = content;
    return [direct, JSON.parse(block?.type === 'text' ? block.text : '') as Answer];
  }

  it('are those of a direct request without a client certificate', async () => {
    const [direct, call] = await both('https');
    expect(call).toEqual(direct);
    expect(direct?.protocol).toBe('https');
    expect(direct?.facts).toMatchObject({ encrypted: true, authorized: false });
    expect(direct?.facts['getPeerCertificate']).toBe('{}');
    expect(Object.keys(direct?.facts ?? {})).toEqual([
      ...VALUES,
      ...METHODS,
      'exportKeyingMaterial',
    ]);
  });

  it('are those of a direct request with a certificate the server trusts', async () => {
    const [direct, call] = await both('https', identity('client'));
    expect(call).toEqual(direct);
    expect(direct?.facts).toMatchObject({ authorized: true, servername: 'localhost' });
    expect(direct?.facts['getPeerCertificate']).toContain('"CN":"ada"');
    expect(direct?.facts['getProtocol']).toBe('"TLSv1.3"');
    expect(direct?.facts['getCipher']).toContain('"name"');
  });

  it('are those of a direct request with a certificate the server does not trust', async () => {
    const [direct, call] = await both('https', identity('stranger'));
    expect(call).toEqual(direct);
    expect(direct?.facts).toMatchObject({ authorized: false });
    expect(direct?.facts['authorizationError']).toEqual(expect.any(String));
    expect(direct?.facts['getPeerCertificate']).toContain('A stranger');
  });

  it('are missing without TLS, as on a direct request', async () => {
    const [direct, call] = await both('http');
    expect(direct).toEqual({ protocol: 'http', facts: {} });
    expect(call).toEqual(direct);
  });
});
