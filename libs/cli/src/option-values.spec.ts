import { describe, expect, it } from '@jest/globals';
import { bearerToken, httpUrl, namedUrls, seconds, variableName } from './option-values.js';

describe('httpUrl', () => {
  it('returns a URL unchanged', () => {
    expect(httpUrl('http://localhost:3000')).toBe('http://localhost:3000');
    expect(httpUrl('https://a.example/_mcp/messages?x=1')).toBe(
      'https://a.example/_mcp/messages?x=1',
    );
  });

  it.each(['', 'localhost:3000', '/path', 'file:///a', 'http://a/#b', 'http://ada@a/'])(
    'refuses %j',
    (value) => {
      expect(() => httpUrl(value)).toThrow(/^--http is /);
    },
  );
});

describe('httpUrl, in the log of CI', () => {
  it.each([
    ['http://ada:secret@a/#b', 'http://...@a/?...'],
    ['ftp://ada:secret@a/', 'ftp://...@a/'],
    ['ada:secret@a:3000', 'ada:...@a:3000'],
    ['http://a/?token=secret#b', 'http://a/?...'],
    ['http//a?token=secret', 'http//a?...'],
  ])('does not repeat the secret of %j', (value, shown) => {
    expect(() => httpUrl(value)).toThrow(`--http is ${JSON.stringify(shown)}, but must be`);
  });
});

describe('seconds', () => {
  it('reads a number', () => {
    expect([seconds('5'), seconds('0.5')]).toEqual([5, 0.5]);
  });

  it.each(['', '0', '-1', '1e3', 'soon', 'Infinity', '86401'])('refuses %j', (value) => {
    expect(() => seconds(value)).toThrow(/^--timeout is /);
  });
});

describe('namedUrls', () => {
  it('reads a name before the URL, which may have "=" itself', () => {
    expect(namedUrls('http://a/?x=http://b/', namedUrls('shop=https://a/mcp'))).toEqual([
      { name: 'shop', url: 'https://a/mcp' },
      { url: 'http://a/?x=http://b/' },
    ]);
  });

  it.each(['shop=', 'shop=/mcp', '=http://a/', 'shop=http://ada@a/'])('refuses %j', (value) => {
    expect(() => namedUrls(value)).toThrow(/^--http is /);
  });
});

describe('bearerToken', () => {
  it('returns a token unchanged', () => {
    expect(bearerToken('eyJhbGciOi.e30.x~+/=')).toBe('eyJhbGciOi.e30.x~+/=');
    expect(bearerToken('')).toBeUndefined();
  });

  it.each(['sk-secret\nabc', 'sk-secret\r', 'sk-secret ', 'sk-secret\u2019'])(
    'refuses %j, and does not repeat it',
    (value) => {
      expect(() => bearerToken(value)).toThrow(
        /^--token, or FLEDGE_MCP_TOKEN, must be (?!.*secret)/,
      );
    },
  );
});

describe('namedUrls, which are written to files', () => {
  it.each([
    'token',
    'access_token',
    'apiKey',
    'api-key',
    'key',
    'sig',
    'client_secret',
    'password',
  ])('refuse a credential in %s, and do not repeat it', (name) => {
    expect(() => namedUrls(`shop=https://a.example/mcp?page=1&${name}=sk-1234`)).toThrow(
      expect.objectContaining({
        code: 'CLI_BAD_OPTION',
        message: expect.not.stringContaining('sk-1234'),
      }),
    );
  });

  it('keep other parameters', () => {
    const url = 'https://a.example/mcp?tenant=acme&token=&keyboard=de';
    expect(namedUrls(url)).toEqual([{ url }]);
  });
});

describe('variableName', () => {
  it('refuses what may be a token, and does not repeat it', () => {
    expect(variableName('SHOP_TOKEN_2')).toBe('SHOP_TOKEN_2');
    for (const value of ['eyJhbGciOi.e30.x', 'sk-live-1', 'abcdef', '', '2FA']) {
      expect(() => variableName(value)).toThrow(
        /^--bearer must be the name of an environment variable/,
      );
    }
  });
});
