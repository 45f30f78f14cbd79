// HTTP/2, of which Express has none.
import { readFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { CallObservers, type CallRecord } from '@fledge/core/packages';
import { PanelModule } from '@fledge/panel';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { closeAll, serve } from './support/platforms.js';

@Controller('tasks')
class TasksController {
  @Get()
  list() {
    return ['a'];
  }
}

const file = (name: string) =>
  readFileSync(new URL(`../libs/mcp/test/tls/${name}.pem`, import.meta.url));
const https = { key: file('server-key'), cert: file('server') };

const servers = [
  { kind: 'without TLS', scheme: 'http', adapter: () => new FastifyAdapter({ http2: true }) },
  { kind: 'with TLS', scheme: 'https', adapter: () => new FastifyAdapter({ http2: true, https }) },
  {
    kind: 'with TLS and HTTP/1',
    scheme: 'https',
    adapter: () => new FastifyAdapter({ http2: true, https: { ...https, allowHTTP1: true } }),
  },
];

describe.each(servers)('the panel over HTTP/2 $kind', ({ kind, scheme, adapter }) => {
  let session: ClientHttp2Session;
  let origin: string;

  afterEach(async () => {
    session.destroy();
    await closeAll();
  });

  async function start(): Promise<INestApplication> {
    const module = { imports: [PanelModule.forRoot()], controllers: [TasksController] };
    const { app } = await serve(module, { name: 'Fastify', adapter });
    const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
    origin = `${scheme}://127.0.0.1:${port}`;
    session = connect(origin, { rejectUnauthorized: false });
    return app;
  }

  /** Resolves when the response has ended, or when its text contains `last`. */
  function send(path: string, headers = {}, { body, last }: { body?: string; last?: string } = {}) {
    return new Promise<{ status: unknown; text: string }>((resolve, reject) => {
      const stream = session.request({ ...headers, ':path': `/_fledge${path}` });
      let status: unknown;
      let text = '';
      const done = () => resolve({ status, text });
      stream.on('response', (answer) => (status = answer[':status']));
      stream.on('data', (chunk: Buffer) => {
        text += String(chunk);
        if (last !== undefined && text.includes(last)) done();
      });
      stream.on('end', done).on('error', reject).end(body);
    });
  }

  it('checks host and origin', async () => {
    await start();
    expect((await send('')).status).toBe(308);
    expect((await send('/api/app', { origin })).status).toBe(200);
    const rebound = await send('/api/app', { ':authority': 'evil.example' });
    expect([rebound.status, rebound.text]).toEqual([403, expect.stringContaining('evil.example')]);
    const foreign = await send('/api/app', { origin: 'https://evil.example' });
    expect(foreign.text).toContain('PANEL_FOREIGN_ORIGIN');
  });

  it('streams calls', async () => {
    const app = await start();
    const record = { at: new Date(), method: 'tools/call', name: 'find', durationMs: 1 };
    void app.get(CallObservers, { strict: false }).notify(record as CallRecord);
    const { text } = await send('/api/calls/stream?after=0', {}, { last: 'find' });
    expect(text).toContain('"tool":"find"');
  });

  it('checks a caller, or says why it cannot', async () => {
    await start();
    const headers = { ':method': 'POST', 'content-type': 'application/json' };
    const { status, text } = await send('/api/callers/check', headers, {
      body: '{"route":"/tasks"}',
    });
    if (kind === 'with TLS and HTTP/1') expect([status, text]).toEqual([200, '{"status":200}']);
    else expect([status, text]).toEqual([504, expect.stringContaining('allowHTTP1')]);
  });
});
