import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { answerPreflight } from './cross-origin.js';

const rules = {
  allowedOrigins: new Set(['https://app.example.com']),
  allowedHosts: new Set(['api.example.com']),
};

function answer(method: string, sent: Record<string, string>) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, headers: { host: 'api.example.com', ...sent } });
  const response = new ServerResponse(request);
  const isPreflight = answerPreflight(request, response, rules);
  return { isPreflight, status: response.statusCode, headers: { ...response.getHeaders() } };
}

const origin = 'https://app.example.com';
const exposed = {
  vary: 'Origin',
  'access-control-allow-origin': origin,
  'access-control-expose-headers': 'mcp-session-id, www-authenticate',
};

describe('answerPreflight', () => {
  it('leaves requests that come from no page as they are', () => {
    expect(answer('POST', {})).toEqual({ isPreflight: false, status: 200, headers: {} });
    const asked = { 'access-control-request-method': 'POST' };
    expect(answer('OPTIONS', asked)).toEqual({ isPreflight: false, status: 200, headers: {} });
  });

  it('lets pages of an allowed origin read the answer', () => {
    expect(answer('POST', { origin })).toEqual({
      isPreflight: false,
      status: 200,
      headers: exposed,
    });
    expect(answer('OPTIONS', { origin }).isPreflight).toBe(false);
  });

  it('answers a preflight with the headers that it asks for', () => {
    const asked = { origin, 'access-control-request-method': 'POST' };
    const names = 'authorization,mcp-session-id';
    const { isPreflight, status } = answer('OPTIONS', asked);
    expect([isPreflight, status]).toEqual([true, 204]);
    expect(answer('OPTIONS', { ...asked, 'access-control-request-headers': names })).toMatchObject({
      isPreflight: true,
      status: 204,
      headers: exposed,
    });
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host', { origin, host: 'evil.example' }],
  ])('allows nothing to %s', (_, sent) => {
    const asked = { ...sent, 'access-control-request-method': 'POST' };
    expect(answer('OPTIONS', asked)).toEqual({
      isPreflight: false,
      status: 200,
      headers: { vary: 'Origin' },
    });
  });
});
