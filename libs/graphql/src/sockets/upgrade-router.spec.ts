import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { UpgradeRouter } from './upgrade-router.js';

const server = createServer();

afterEach(() => {
  jest.useRealTimers();
  server.close();
  server.closeAllConnections();
});

// What upgrades beside gateways and Socket.IO do is in test/upgrade-router.spec.ts.
describe('UpgradeRouter', () => {
  it('answers 404 if other listeners do not answer within ten seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const left: Socket[] = [];
    server.on('upgrade', (_req, socket: Socket) => left.push(socket));
    const release = UpgradeRouter.of(server).serve('/mine', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/others',
      headers: { connection: 'Upgrade', upgrade: 'websocket' },
    }).end();
    await once(server, 'upgrade');
    expect(left).toHaveLength(1);
    jest.advanceTimersByTime(9_999);
    expect(left[0]!.writableEnded).toBe(false);
    jest.advanceTimersByTime(1);
    const [answer] = (await once(asked, 'response')) as [{ statusCode: number }];
    expect(answer.statusCode).toBe(404);
    release();
  });
});
