import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { closeSilentSockets } from './serve-socket.js';

const sockets = new WebSocketServer({ port: 0, host: '127.0.0.1' });

afterEach(() => {
  jest.useRealTimers();
  sockets.clients.forEach((it) => it.terminate());
  sockets.close();
});

describe('closeSilentSockets', () => {
  it('terminates the sockets that did not answer a ping, and keeps the others', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'queueMicrotask'] });
    if (sockets.address() === null) await once(sockets, 'listening');
    const stop = closeSilentSockets(sockets);
    const { port } = sockets.address() as AddressInfo;
    const open = async (autoPong: boolean) => {
      const client = new WebSocket(`ws://127.0.0.1:${port}`, { autoPong });
      await once(client, 'open');
      return client;
    };
    const [alive, dead] = [await open(true), await open(false)];
    const [one, two] = [...sockets.clients];
    const gone = once(dead, 'close');
    for (let beat = 0; beat < 3; beat += 1) {
      const pong = once(one!, 'pong');
      jest.advanceTimersByTime(12_000);
      await pong;
    }
    await gone;
    expect([alive.readyState, two!.readyState]).toEqual([WebSocket.OPEN, WebSocket.CLOSED]);
    stop();
    jest.advanceTimersByTime(60_000);
    expect(alive.readyState).toBe(WebSocket.OPEN);
  });
});
