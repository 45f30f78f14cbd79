import { describe, expect, it } from '@jest/globals';
import { connectionHeaders } from './connection-headers.js';

const names = ['authorization', 'x-tenant-id'];
const upgrade = { host: 'localhost', 'x-tenant-id': 'acme' };

describe('connectionHeaders()', () => {
  it('takes the listed names, in any case, where they are text', () => {
    const params = { Authorization: 'Bearer 1', host: 'evil', cookie: 'a=b', 'x-tenant-id': 7 };
    expect(connectionHeaders(upgrade, params, names)).toEqual({
      ...upgrade,
      authorization: 'Bearer 1',
    });
    expect(upgrade).toEqual({ host: 'localhost', 'x-tenant-id': 'acme' });
  });

  it.each([undefined, null, 'text', 7, []])('takes nothing of %p', (params) => {
    expect(connectionHeaders(upgrade, params, names)).toEqual(upgrade);
  });

  it('takes the same value twice, and refuses two', () => {
    expect(connectionHeaders(upgrade, { 'x-tenant-id': 'acme' }, names)).toEqual(upgrade);
    const differing = [{ 'x-tenant-id': 'globex' }, { authorization: 'a', Authorization: 'b' }];
    for (const params of differing) {
      expect(() => connectionHeaders(upgrade, params, names)).toThrow(
        expect.objectContaining({ code: 'GRAPHQL_BAD_CONNECTION_HEADER' }),
      );
    }
  });

  it('refuses what no header may have', () => {
    expect(() => connectionHeaders(upgrade, { authorization: 'a\r\nx: y' }, names)).toThrow(
      /authorization/,
    );
  });
});
