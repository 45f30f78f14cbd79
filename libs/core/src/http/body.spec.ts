import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type JsonBody, type JsonBodyOptions, readBytes, readJsonBody } from './body.js';

type Chunk = string | Uint8Array | readonly number[];

const request = (
  chunks: readonly Chunk[],
  headers: Record<string, string> = {},
  stored: object = {},
) =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk as string))), {
    headers: { 'content-type': 'application/json', ...headers },
    ...stored,
  }) as unknown as IncomingMessage;

const read = (req: IncomingMessage, options: Partial<JsonBodyOptions> = {}) =>
  new Promise<JsonBody>((resolve) => readJsonBody(req, { limit: 1000, ...options }, resolve));

/** A request whose stream other code has read. */
async function readBefore(stored: object): Promise<IncomingMessage> {
  const req = request(['{}'], {}, stored);
  req.resume();
  await once(req, 'end');
  return req;
}

describe('readJsonBody', () => {
  it('reads any JSON, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.array(fc.nat({ max: 40 })), async (value, cuts) => {
        const bytes = Buffer.from(JSON.stringify(value));
        const chunks: Uint8Array[] = [];
        let from = 0;
        for (const cut of [...cuts, bytes.length]) {
          const to = Math.min(from + cut, bytes.length);
          if (to > from) chunks.push(bytes.subarray(from, to));
          from = to;
        }
        // -0 is 0 in JSON.
        const body = JSON.parse(bytes.toString()) as unknown;
        await expect(read(request(chunks), { limit: bytes.length })).resolves.toEqual({ body });
      }),
    );
  });

  it('finds a fault in bytes that are not JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        const { fault } = await read(request([bytes]));
        expect([undefined, 'invalid-json']).toContain(fault);
      }),
    );
  });

  it.each<[string, IncomingMessage, JsonBody]>([
    [
      'another media type',
      request(['{}'], { 'content-type': 'text/plain' }),
      { fault: 'not-json' },
    ],
    [
      'a media type that only contains the name',
      request(['{}'], { 'content-type': 'text/plain; a=application/json' }),
      { fault: 'not-json' },
    ],
    [
      'an unknown charset',
      request(['{}'], { 'content-type': 'application/json; charset=x' }),
      { fault: 'unknown-charset' },
    ],
    [
      'the charset that it declares',
      request([Buffer.from('\ufeff"ü"', 'utf16le')], {
        'content-type': 'Application/JSON; charset=utf-16le',
      }),
      { body: 'ü' },
    ],
    ['bytes that are not UTF-8', request([[0x22, 0xff, 0x22]]), { fault: 'invalid-json' }],
    ['a byte order mark', request(['\ufeff{}']), { body: {} }],
    ['gzip', request([gzipSync('{}')], { 'content-encoding': 'gzip' }), { fault: 'encoded' }],
    ['the coding identity', request(['{}'], { 'content-encoding': 'Identity' }), { body: {} }],
    ['no bytes', request([]), { fault: 'empty' }],
    ['half an object', request(['{"a":']), { fault: 'invalid-json' }],
  ])('of %s', async (_, req, expected) => {
    await expect(read(req)).resolves.toEqual(expected);
  });

  it('stops at the limit, with and without a content length', async () => {
    const tooLarge = { fault: 'too-large' };
    await expect(read(request(['"0123', '456789"']), { limit: 11 })).resolves.toEqual(tooLarge);
    const announced = request([], { 'content-length': '12' });
    await expect(read(announced, { limit: 11 })).resolves.toEqual(tooLarge);
    await expect(read(request(['"0123456789"']), { limit: 12 })).resolves.toEqual({
      body: '0123456789',
    });
  });

  it('refuses a text or a stored value that nests too deep', async () => {
    const isTooDeep = (body: unknown) => body === '[[]]' || Array.isArray(body);
    const options = { isTooDeep };
    await expect(read(request(['[[]]']), options)).resolves.toEqual({ fault: 'too-deep' });
    await expect(read(request(['{}']), options)).resolves.toEqual({ body: {} });
    const stored = await readBefore({ body: [[]] });
    await expect(read(stored, options)).resolves.toEqual({ fault: 'too-deep' });
  });

  it.each<[string, object, JsonBody]>([
    ['an object', { body: { a: 1 } }, { body: { a: 1 } }],
    ['a list', { body: [] }, { body: [] }],
    ['text', { body: '{"a":1}' }, { body: { a: 1 } }],
    ['bytes', { body: Buffer.from('{"a":1}') }, { body: { a: 1 } }],
    ['raw bytes beside nothing', { body: {}, rawBody: Buffer.from('[1]') }, { body: [1] }],
    ['text that is not JSON', { body: 'a=1' }, { fault: 'invalid-json' }],
    ['text above the limit', { body: 'x'.repeat(1001) }, { fault: 'too-large' }],
    ['an empty object', { body: {} }, { fault: 'consumed' }],
    ['nothing', {}, { fault: 'consumed' }],
  ])('takes %s that a parser stored', async (_, stored, expected) => {
    await expect(read(await readBefore(stored))).resolves.toEqual(expected);
  });

  it("takes what is stored on the platform's request before what is on Node's", async () => {
    const req = await readBefore({ body: [1] });
    await expect(read(req, { platform: { body: [2] } })).resolves.toEqual({ body: [2] });
  });

  it('waits for other code that is reading the stream', async () => {
    const req = request(['[', '1]']);
    req.once('end', () => Object.assign(req, { body: ['theirs'] }));
    req.once('data', () => req.pause());
    await once(req, 'data');
    await expect(read(req)).resolves.toEqual({ body: ['theirs'] });
  });

  it('reads a stream that a hook has decoded', async () => {
    const req = request([], { 'content-encoding': 'gzip', 'content-length': '2000' });
    const stream = Readable.from([Buffer.from('[1]')]);
    await expect(read(req, { stream })).resolves.toEqual({ body: [1] });
  });

  it('reports a client that disconnected, and discards the rest of a body that is too large', async () => {
    const reads: JsonBody[] = [];
    const server = createServer((req, res) => {
      readJsonBody(req, { limit: 10 }, (got) => {
        reads.push(got);
        res.end(got.fault);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const post = () =>
      httpRequest({
        port,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': 10 },
      });
    const leaving = post();
    leaving.on('error', () => undefined);
    leaving.write('{', () => leaving.destroy());
    await new Promise((resolve) => leaving.once('close', resolve));
    const large = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify('x'.repeat(1_000_000)),
    });
    expect(await large.text()).toBe('too-large');
    await new Promise((resolve) => server.close(resolve));
    expect(reads).toContainEqual({ fault: 'gone' });
    expect(reads).toHaveLength(2);
  });
});

describe('readBytes', () => {
  it.each<[string, readonly Chunk[], Buffer | string]>([
    ['no bytes', [], Buffer.alloc(0)],
    ['one chunk', ['abc'], Buffer.from('abc')],
    ['several chunks up to the limit', ['ab', 'cd'], Buffer.from('abcd')],
    ['more than the limit', ['ab', 'cde'], 'too-large'],
  ])('reads %s', async (_, chunks, expected) => {
    expect(await readBytes(request(chunks), 4)).toEqual(expected);
  });

  it('reads the rest of a large body, so the connection stays usable', async () => {
    const req = request(['abc', 'def', 'ghi']);
    expect(await readBytes(req, 4)).toBe('too-large');
    await finished(req);
  });

  it.each(['before', 'while'])('reports a client that disconnects %s it reads', async (when) => {
    const req = new Readable({ read: () => undefined }) as IncomingMessage;
    if (when === 'before') req.destroy();
    const bytes = readBytes(req, 4);
    req.destroy(when === 'before' ? undefined : new Error('aborted'));
    expect(await bytes).toBe('gone');
  });
});
