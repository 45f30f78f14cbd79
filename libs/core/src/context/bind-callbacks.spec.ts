import { EventEmitter, once } from 'node:events';
import {
  createServer,
  get,
  IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { ClsServiceManager, type ClsStore } from 'nestjs-cls';
import { until } from '../../../../test/support/until.js';
import { bindEvents } from './bind-callbacks.js';

const cls = ClsServiceManager.getClsService();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** The stores that listeners of `told` ran in. */
let seen: unknown[] = [];

/** Opens a store named after the path, binds the events and listens. */
const bind: RequestHandler = (req, res, next) => {
  cls.runWith({ of: req.originalUrl } as ClsStore, () => {
    bindEvents(req);
    bindEvents(res);
    res.on('told', () => seen.push(cls.get('of')));
    next();
  });
};
/** Emits outside of all stores, as a socket does. */
const answer: RequestHandler = (_req, res) => {
  cls.exit(() => res.emit('told'));
  res.end();
};

async function ask(listener: RequestListener, ...paths: string[]): Promise<void> {
  seen = [];
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  for (const path of paths) {
    get({ port: (server.address() as AddressInfo).port, path }, (response) => response.resume());
  }
}

describe('bindEvents', () => {
  it('leaves the classes of Node as they were', async () => {
    await ask(express().use(bind, answer), '/a');
    await until(() => seen.length === 1, 'the response told');
    expect(IncomingMessage.prototype.emit).toBe(EventEmitter.prototype.emit);
    expect(ServerResponse.prototype.emit).toBe(EventEmitter.prototype.emit);
  });

  it('binds in an application that is mounted in another, which binds too', async () => {
    const outer = express().use(bind, express().use(bind, answer));
    await ask(outer, '/a', '/b');
    await until(() => seen.length === 4, 'both responses told');
    expect(seen.toSorted()).toEqual(['/a', '/a', '/b', '/b']);
  });

  it('binds where a middleware replaced emit on the response', async () => {
    const events: unknown[] = [];
    const replace: RequestHandler = (_req, res, next) => {
      const emit = res.emit.bind(res) as (...args: unknown[]) => boolean;
      res.emit = (...args: unknown[]) => {
        events.push(args[0]);
        return emit(...args);
      };
      next();
    };
    await ask(express().use(replace, bind, answer), '/a', '/b');
    await until(() => seen.length === 2, 'both responses told');
    expect(seen.toSorted()).toEqual(['/a', '/b']);
    expect(events.filter((event) => event === 'told')).toHaveLength(2);
  });
});
