import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { originRefusal, type OriginRules } from './origin-check.js';

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
