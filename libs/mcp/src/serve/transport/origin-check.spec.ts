import { describe, expect, it } from '@jest/globals';
import { IncomingMessage, ServerResponse } from 'node:http';
import { answerPreflight, originRefusal, type OriginRules } from './origin-check.js';
import { Socket } from 'node:net';

const none: OriginRules = { allowedOrigins: new Set(), allowedHosts: undefined };

function request(origin: string | undefined, host: string, localAddress = '10.0.0.5') {
  return {
    headers: { host, ...(origin !== undefined && { origin }) },
    socket: { localAddress },
  } as unknown as IncomingMessage;
}

describe('originRefusal', () => {
  it.each([
    [undefined, 'api.example.com'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com:8443', 'API.example.com:8443'],
    ['http://localhost:6274', 'localhost:3000'],
    ['http://127.0.0.1:5173', 'api.example.com'],
    ['http://[::1]:5173', 'localhost'],
  ])('lets %s reach %s', (origin, host) => {
    expect(originRefusal(request(origin, host), none)).toBeUndefined();
  });

  it.each([
    ['https://evil.example', 'api.example.com'],
    ['null', 'api.example.com'],
    ['', 'api.example.com'],
    ['https://api.example.com.evil.example', 'api.example.com'],
    ['https://api.example.com:444', 'api.example.com'],
    ['file://localhost', 'localhost'],
    ['http://localhost.evil.example', 'localhost'],
  ])('keeps %s from %s', (origin, host) => {
    expect(originRefusal(request(origin, host), none)).toMatchObject({ status: 403 });
  });

  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'keeps out a page that rebinds its name to %s',
    (local) => {
      const rebound = request('http://evil.example:3000', 'evil.example:3000', local);
      expect(originRefusal(rebound, none)).toMatchObject({ status: 403 });
    },
  );

  it('lets a listed origin through, exactly as listed', () => {
    const rules = { ...none, allowedOrigins: new Set(['https://app.example.com']) };
    expect(originRefusal(request('https://app.example.com', 'x', '::1'), rules)).toBeUndefined();
    expect(originRefusal(request('http://app.example.com', 'x'), rules)).toBeDefined();
  });

  it('checks the host where hosts are listed', () => {
    const rules = { ...none, allowedHosts: new Set(['api.example.com']) };
    expect(originRefusal(request(undefined, 'API.example.com:443'), rules)).toBeUndefined();
    expect(originRefusal(request(undefined, 'evil.example'), rules)).toMatchObject({ status: 403 });
  });
});

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
