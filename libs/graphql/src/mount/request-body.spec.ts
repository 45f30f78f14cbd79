import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { type BodyRequest, hasUnreadJson, readJson } from './request-body.js';

const request = (chunks: readonly Uint8Array[], headers: Record<string, string> = {}) =>
  Object.assign(Readable.from(chunks), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  }) as unknown as BodyRequest;

describe('readJson()', () => {
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
        const req = request(chunks);
        await readJson(req, bytes.length);
        // -0 is 0 in JSON.
        expect(req.body).toEqual(JSON.parse(bytes.toString()));
      }),
    );
  });

  it('answers arbitrary bytes with 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), async (bytes) => {
        const req = request([bytes]);
        const status = await readJson(req, 1000).then(
          () => 200,
          (error: { getStatus(): number }) => error.getStatus(),
        );
        expect([200, 400]).toContain(status);
      }),
    );
  });

  it('stops at the limit, with and without a content length', async () => {
    const body = Buffer.from('"0123456789"');
    await expect(readJson(request([body]), 11)).rejects.toMatchObject({ status: 413 });
    await expect(readJson(request([], { 'content-length': '12' }), 11)).rejects.toMatchObject({
      status: 413,
    });
    await expect(readJson(request([body]), 12)).resolves.toBeUndefined();
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
