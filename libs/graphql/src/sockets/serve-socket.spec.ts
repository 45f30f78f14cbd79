import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import { closeSilentSockets, OperationIds, peek } from './serve-socket.js';

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

const subscribe = (id: string, query = '') => JSON.stringify({ type: 'subscribe', id, query });
const complete = (id: string) => JSON.stringify({ type: 'complete', id });

/** Messages that were handed on, and how to end the operations among them. */
function handled() {
  const texts: string[] = [];
  const endings: (() => void)[] = [];
  const ids = new OperationIds((text) => {
    texts.push(text);
    if (peek(text).type !== 'subscribe') return Promise.resolve();
    return new Promise((resolve) => endings.push(resolve));
  });
  return { texts, endings, take: (text: string) => void ids.take(text) };
}

describe('OperationIds', () => {
  it('passes messages on in order if ids are unique', () => {
    const { texts, take } = handled();
    const all = [
      'garbage',
      'null',
      '3',
      subscribe('a'),
      subscribe('b'),
      complete('a'),
      complete('c'),
    ];
    all.forEach(take);
    expect(texts).toEqual(all);
  });

  it('passes on an id that is in use, and the protocol refuses it', () => {
    const { texts, take } = handled();
    [subscribe('a'), subscribe('a')].forEach(take);
    expect(texts).toEqual([subscribe('a'), subscribe('a')]);
  });

  it('keeps a reused id until its first operation has ended', async () => {
    const { texts, endings, take } = handled();
    [subscribe('a', '1'), complete('a'), subscribe('a', '2')].forEach(take);
    expect(texts).toEqual([subscribe('a', '1'), complete('a')]);
    endings[0]!();
    await turn();
    expect(texts.slice(2)).toEqual([subscribe('a', '2')]);
    [complete('a'), subscribe('a', '3')].forEach(take);
    endings[1]!();
    await turn();
    expect(texts.slice(3)).toEqual([complete('a'), subscribe('a', '3')]);
  });

  it('drops a kept operation that is completed before it begins', async () => {
    const { texts, endings, take } = handled();
    [subscribe('a', '1'), complete('a'), subscribe('a', '2'), complete('a')].forEach(take);
    take(subscribe('a', '3'));
    endings[0]!();
    await turn();
    expect(texts).toEqual([subscribe('a', '1'), complete('a'), subscribe('a', '3')]);
  });

  it('frees an id when its operation failed', async () => {
    let fail = true;
    const ids = new OperationIds(() =>
      fail ? Promise.reject(new Error('no')) : Promise.resolve(),
    );
    await expect(ids.take(subscribe('a'))).rejects.toThrow('no');
    fail = false;
    await expect(ids.take(subscribe('a'))).resolves.toBeUndefined();
  });
});
