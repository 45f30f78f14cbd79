import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventJson, EventStream, type EventStreamOptions, eventText } from './event-stream.js';

describe('eventJson', () => {
  it('escapes what some clients take for the end of a line', () => {
    const value = { 'a\u2028b': ['\u2029', '\u0085', 'ü\u2027\u202a'] };
    const json = eventJson(JSON.stringify(value));
    expect(json).toBe('{"a\\u2028b":["\\u2029","\\u0085","ü\u2027\u202a"]}');
    expect(JSON.parse(json)).toEqual(value);
  });
});

describe('eventText', () => {
  it('writes the name, the id and the data', () => {
    expect(eventText('next', '{"a":"\u2028"}')).toBe('event: next\ndata: {"a":"\\u2028"}\n\n');
    expect(eventText('call', '1', 7)).toBe('event: call\nid: 7\ndata: 1\n\n');
  });
});

describe('EventStream', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Opens a stream over HTTP. */
  async function open(options: EventStreamOptions) {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1' }).end();
    const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
    const stream = new EventStream(response, options);
    const [client] = (await once(sent, 'response')) as [IncomingMessage];
    return { stream, response, client };
  }

  /** Writes more than the sockets of this machine buffer. */
  function flood(stream: EventStream): void {
    stream.write(`data: ${'x'.repeat(20_000_000)}\n\n`);
  }

  const textOf = async (client: IncomingMessage) => {
    let text = '';
    for await (const chunk of client) text += String(chunk);
    return text;
  };

  it('sends its head, events and an end', async () => {
    const { stream, client } = await open({ heartbeatMs: 60_000, retryMs: 3000 });
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(stream.write('data: 1\n\n')).toBe(true);
    stream.end('data: 2\n\n');
    expect(stream.isOpen).toBe(false);
    stream.write('data: 3\n\n');
    stream.end('data: 4\n\n');
    expect(await textOf(client)).toBe('retry: 3000\n\ndata: 1\n\ndata: 2\n\n');
  });

  it.each([0, NaN, 2 ** 31, '60000', undefined])('refuses the interval %p', (heartbeatMs) => {
    const response = {} as ServerResponse;
    expect(() => new EventStream(response, { heartbeatMs: heartbeatMs as number })).toThrow(
      'new EventStream({ heartbeatMs })',
    );
  });

  it('sends comments while nothing else is sent', async () => {
    const { stream, client } = await open({ heartbeatMs: 5 });
    client.setEncoding('utf8');
    let text = '';
    while (text.length < ':\n\n'.length * 3) text += String((await once(client, 'data'))[0]);
    stream.end();
    expect(text).toMatch(/^(:\n\n)+$/);
  });

  it('waits for a slow client, and sends it no comments meanwhile', async () => {
    const { stream, response, client } = await open({ heartbeatMs: 5 });
    client.pause();
    flood(stream);
    expect(stream.write('data: 1\n\n')).toBe(false);
    const drained = stream.drained();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const waiting = response.writableLength;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(response.writableLength).toBeLessThanOrEqual(waiting);
    client.resume();
    await drained;
    expect(response.writableNeedDrain).toBe(false);
  });

  it('stops to wait for a client that disconnects', async () => {
    const { stream, client } = await open({ heartbeatMs: 5 });
    client.pause();
    flood(stream);
    const drained = stream.drained();
    client.destroy();
    await drained;
    expect(stream.isOpen).toBe(false);
    expect(stream.write('data: 1\n\n')).toBe(true);
  });
});
