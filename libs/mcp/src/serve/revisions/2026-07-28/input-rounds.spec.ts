import { expect, it } from '@jest/globals';
import { callDigest } from './input-rounds.js';

it('identifies a call, whatever a client sends in parameters that are not checked', () => {
  const caller = { origin: { headers: {} }, forwarded: [], endpoint: '/mcp' };
  const digest = (params: object) =>
    callDigest({ method: 'completion/complete', params, caller } as never);
  const odd = { name: { toString: null } };
  expect(digest(odd)).toBe(digest(odd));
  expect(digest(odd)).not.toBe(digest({ name: 'a' }));
  expect(digest({})).toBe(digest({}));
});
