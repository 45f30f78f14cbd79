import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { type BodyRequest, hasUnreadJson, isOperation, readJson } from './read-request.js';

const request = (chunks: readonly string[], headers: Record<string, string> = {}) =>
  Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  }) as unknown as BodyRequest;

describe('readJson()', () => {
  it('stores the body on the request, and leaves an empty one undefined', async () => {
    const req = request(['{"query":', '"{ a }"}']);
    await readJson(req, 100);
    expect(req.body).toEqual({ query: '{ a }' });
    const empty = request([]);
    await readJson(empty, 100);
    expect(empty.body).toBeUndefined();
  });

  it.each([
    [400, 'Unparsable JSON body', request(['{'])],
    [413, 'The body is larger than 11 bytes', request(['"0123456789"'])],
    [413, 'The body is larger than 11 bytes', request([], { 'content-length': '12' })],
    [
      415,
      'The body is compressed (br). Send an uncompressed body.',
      request(['{}'], { 'content-encoding': 'br' }),
    ],
    [
      415,
      'The charset of the body is unknown. Send the body in UTF-8.',
      request(['{}'], { 'content-type': 'application/json; charset=x' }),
    ],
  ])('answers %i: %s', async (status, message, req) => {
    await expect(readJson(req, 11)).rejects.toMatchObject({ status, message });
  });
});

describe('hasUnreadJson()', () => {
  it.each([
    [{}, true],
    [{ body: {} }, false],
    [{ method: 'GET' }, false],
    [{ headers: { 'content-type': 'Application/JSON; charset=utf-8' } }, true],
    [{ headers: { 'content-type': 'text/plain' } }, false],
    [{ headers: {} }, false],
  ])('of %j is %p', (parts, expected) => {
    expect(hasUnreadJson(Object.assign(request([]), parts) as BodyRequest)).toBe(expected);
  });
});

describe('isOperation()', () => {
  it.each<[boolean, Record<string, string>]>([
    [true, {}],
    [true, { host: 'a.b', origin: 'https://a.b', accept: '*/*' }],
    [false, { host: 'a.b', origin: 'https://c.d' }],
    [false, { origin: 'null' }],
    [false, { accept: 'application/json, Text/Event-Stream' }],
    [false, { accept: 'multipart/mixed' }],
    [false, { 'content-type': 'text/plain' }],
  ])('returns %s for the headers %j', (is, headers) => {
    expect(isOperation(request(['{}'], headers))).toBe(is);
  });
});
