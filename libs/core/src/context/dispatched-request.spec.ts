import { describe, expect, it } from '@jest/globals';
import { dispatchFor, originOf } from './dispatched-request.js';

const request = (url: string) => ({ headers: {}, method: 'POST', url });

describe('originOf', () => {
  it('tells on whose behalf a request was made, on Fastify through its raw one', () => {
    const [origin, inner] = [request('/acme/_mcp/messages'), request('/tasks')];
    expect(originOf(inner)).toBeUndefined();
    dispatchFor(inner, origin);
    expect(originOf(inner)).toBe(origin);
    expect(originOf({ ...request('/tasks'), raw: inner })).toBe(origin);
  });
});
