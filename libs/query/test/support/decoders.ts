import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ExpressAdapter } from '@nestjs/platform-express';
import Fastify from 'fastify';

/** Decodes a query string to the query that a handler gets. */
type Decode = (text: string) => unknown;

/** A server that decodes query strings. */
export interface Server {
  readonly name: string;
  open(): Promise<{ decode: (text: string) => Promise<unknown>; close: () => Promise<unknown> }>;
}

/** The parser of Express, without a socket: it is stored under a setting. */
function expressDecoder(mode: 'simple' | 'extended'): Decode {
  // Express has no types here; these two are its documented settings.
  const app = new ExpressAdapter().getInstance<{
    set(name: string, value: string): void;
    get(name: string): Decode;
  }>();
  app.set('query parser', mode);
  return app.get('query parser fn');
}

/** Fastify does not expose its parser, so a route stores the query that it gets. */
async function openFastify() {
  const app = Fastify();
  let seen: unknown;
  app.get('/', (request) => {
    seen = request.query;
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    // Not fetch, which rewrites the query string.
    decode: async (text: string) => {
      const received = once(get({ port, agent, path: `/?${text}` }), 'response') as Promise<
        [IncomingMessage]
      >;
      const [response] = await received;
      await response.resume().toArray();
      return seen;
    },
    close: async () => {
      agent.destroy();
      await app.close();
    },
  };
}

const open = (decode: Decode) => () =>
  Promise.resolve({
    decode: (text: string) => Promise.resolve(decode(text)),
    close: () => Promise.resolve(),
  });

export const servers: readonly Server[] = [
  { name: 'Express simple', open: open(expressDecoder('simple')) },
  { name: 'Express extended', open: open(expressDecoder('extended')) },
  { name: 'Fastify', open: openFastify },
];
