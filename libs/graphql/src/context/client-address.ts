import type { HttpServer } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { fastifyInternal } from '@fledge/core/packages';

/**
 * The addresses of a client and of the trusted proxies in front of the client. Express and Fastify
 * use the same property names.
 */
export interface ClientAddress {
  readonly ip: string | undefined;
  readonly ips: readonly string[] | undefined;
}

/**
 * Returns the client address that an HTTP request would have in the application. `trust proxy` of
 * Express and `trustProxy` of Fastify apply. Express and Fastify do not handle upgrades, so this
 * function calls their getters itself.
 */
export function clientAddressOf(adapter: HttpServer | null, req: IncomingMessage): ClientAddress {
  try {
    const { ip, ips } = asRequestOf(adapter, req);
    return { ip, ips };
  } catch {
    // A `trust proxy` function threw. An upgrade has no HTTP request that could fail.
    return { ip: req.socket.remoteAddress, ips: undefined };
  }
}

function asRequestOf(adapter: HttpServer | null, req: IncomingMessage): ClientAddress {
  const app = adapter?.getInstance() as object | undefined;
  const type = adapter?.getType();
  if (type === 'express') {
    const { request } = app as { readonly request: object };
    const own = Object.create(req, { app: { value: app } }) as object;
    const read = (name: 'ip' | 'ips') => Reflect.get(request, name, own) as never;
    return { ip: read('ip'), ips: read('ips') };
  }
  const Request =
    type === 'fastify'
      ? fastifyInternal<{ readonly prototype: object }>(app, 'fastify.Request')
      : undefined;
  if (Request !== undefined) {
    return Object.create(Request.prototype, { raw: { value: req } }) as ClientAddress;
  }
  return { ip: req.socket.remoteAddress, ips: undefined };
}

/**
 * Returns the network of an address. Limits count by network. An IPv6 client usually has a whole
 * /64 network, so all addresses of this network count as one client.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1);
  if (!isIPv6(plain) || plain.includes('.')) return plain;
  const [head = '', tail] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}
