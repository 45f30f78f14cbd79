import { expect, it } from '@jest/globals';
import { cancelledBy } from './session-requests.js';

it.each([
  [1, 1],
  ['a', 'a'],
  [undefined, undefined],
  [null, undefined],
  [1.5, undefined],
  [{ toString: null }, undefined],
])('reads the id of a cancelled request: %j', (requestId, id) => {
  const method = 'notifications/cancelled';
  const message = { jsonrpc: '2.0', method, params: { requestId } } as const;
  expect(cancelledBy({ kind: 'notification', message })).toBe(id);
});
