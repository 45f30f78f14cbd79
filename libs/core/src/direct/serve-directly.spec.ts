import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveDirectly } from './serve-directly.js';

let adapter: ExpressAdapter | FastifyAdapter;
let server: Server;
let url: string;

const platforms = [
  { name: 'Express', make: () => new ExpressAdapter() },
  { name: 'Fastify', make: () => new FastifyAdapter() },
];

const answering = (text: string) => (_request: IncomingMessage, response: ServerResponse) => {
  response.end(text);
};
const ask = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).text();

describe.each(platforms)('serveDirectly on $name', ({ make }) => {
  beforeEach(async () => {
    adapter = make();
    adapter.initHttpServer({});
    await adapter.init();
    for (const path of ['/a', '/b', '/a/'])
      adapter.get(path, (_request: unknown, response: { send(body: string): void }) => {
        response.send('platform');
      });
    server = adapter.getHttpServer() as Server;
  });
  afterEach(() => adapter.close());

  const listen = async () => {
    if (adapter instanceof FastifyAdapter) await adapter.getInstance().ready();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  it('passes requests to the path to the endpoint, and others to the platform', async () => {
    serveDirectly(adapter, { path: '/a', handle: answering('a') });
    await listen();
    expect(await ask('/a')).toBe('a');
    expect(await ask('/a?b=/b')).toBe('a');
    expect(await ask('/a/')).toBe('platform');
    expect(await ask('/b')).toBe('platform');
  });

  it('serves several endpoints by one listener, and passes on what one does not take', async () => {
    const takes = ({ method }: IncomingMessage) => method !== 'GET';
    serveDirectly(adapter, { path: '/a', handle: answering('a') });
    const before = server.listenerCount('request');
    serveDirectly(adapter, { path: '/b', handle: answering('b'), takes });
    expect(server.listenerCount('request')).toBe(before);
    await listen();
    expect([await ask('/a'), await ask('/b'), await ask('/b', { method: 'POST' })]).toEqual([
      'a',
      'platform',
      'b',
    ]);
  });

  it('leaves other listeners of the server in their order', async () => {
    const seen: string[] = [];
    const note = (name: string) => (request: IncomingMessage) => {
      seen.push(name + String(request.url));
    };
    server.prependListener('request', note('first '));
    server.once('request', note('once '));
    serveDirectly(adapter, { path: '/a', handle: answering('a') });
    server.on('request', note('late '));
    await listen();
    await ask('/a');
    await ask('/b');
    expect(seen).toEqual(['first /a', 'once /a', 'late /a', 'first /b', 'late /b']);
  });

  it('rejects a server whose requests something else receives', () => {
    server.removeAllListeners('request').on('request', answering('other'));
    expect(() => serveDirectly(adapter, { path: '/a', handle: answering('a') })).toThrow(
      expect.objectContaining({ code: 'CORE_DIRECT_SERVER' }),
    );
  });
});

it("rejects a server made by Fastify's serverFactory", () => {
  const serverFactory = (handle: (request: IncomingMessage, response: ServerResponse) => void) =>
    createServer((request, response) => handle(request, response));
  const own = new FastifyAdapter({ serverFactory });
  own.initHttpServer({});
  expect(() => serveDirectly(own, { path: '/a', handle: answering('a') })).toThrow(/serverFactory/);
});
