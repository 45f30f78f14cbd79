import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import { connectionHeaders, socketRequest } from './socket-request.js';

const names = ['authorization', 'x-tenant-id'];
const upgrade = { host: 'localhost', 'x-tenant-id': 'acme' };

describe('socketRequest()', () => {
  it.each([
    ['/graphql', {}],
    ['/graphql?', {}],
    ['/graphql?token=ab?cd&x=1&x=2', { token: 'ab?cd', x: ['1', '2'] }],
  ])('reads the query component of %s', (url, expected) => {
    const request = { url } as IncomingMessage;
    const { query } = socketRequest(request, {}, { ip: undefined, ips: undefined });
    expect({ ...query }).toEqual(expected);
  });
});

describe('connectionHeaders()', () => {
  it('adds listed names, in any case, if their values are text', () => {
    const params = { Authorization: 'Bearer 1', host: 'evil', cookie: 'a=b', 'x-tenant-id': 7 };
    expect(connectionHeaders(upgrade, params, names)).toEqual({
      ...upgrade,
      authorization: 'Bearer 1',
    });
    expect(upgrade).toEqual({ host: 'localhost', 'x-tenant-id': 'acme' });
  });

  it.each([undefined, null, 'text', 7, []])('ignores %p', (params) => {
    expect(connectionHeaders(upgrade, params, names)).toEqual(upgrade);
  });

  it('accepts equal values, and refuses different ones', () => {
    expect(connectionHeaders(upgrade, { 'x-tenant-id': 'acme' }, names)).toEqual(upgrade);
    const differing = [{ 'x-tenant-id': 'globex' }, { authorization: 'a', Authorization: 'b' }];
    for (const params of differing) {
      expect(() => connectionHeaders(upgrade, params, names)).toThrow(
        expect.objectContaining({ code: 'GRAPHQL_BAD_CONNECTION_HEADER' }),
      );
    }
  });

  it('refuses line breaks', () => {
    expect(() => connectionHeaders(upgrade, { authorization: 'a\r\nx: y' }, names)).toThrow(
      /authorization/,
    );
  });
});
