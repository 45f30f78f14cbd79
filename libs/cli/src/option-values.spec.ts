import { describe, expect, it } from '@jest/globals';
import { httpUrl, seconds } from './option-values.js';

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

describe('seconds', () => {
  it('reads a number', () => {
    expect([seconds('5'), seconds('0.5')]).toEqual([5, 0.5]);
  });

  it.each(['', '0', '-1', '1e3', 'soon', 'Infinity', '86401'])('refuses %j', (value) => {
    expect(() => seconds(value)).toThrow(/^--timeout is /);
  });
});
