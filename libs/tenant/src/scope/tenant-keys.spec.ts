import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildKey, buildPath } from './tenant-keys.js';

describe('buildKey', () => {
  it('makes different keys of different parts', () => {
    expect(buildKey('acme', ['invoice', '7'])).toBe('acme:invoice:7');
    expect(buildKey('a', ['b:c'])).toBe('a:b%3Ac');
    expect(buildKey('a', ['b\ud800', '%ud800', '\ud83d\ude00'])).toBe(
      'a:b%ud800:%25ud800:%F0%9F%98%80',
    );
    // Code units, so the text may contain half of a surrogate pair.
    const unit = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 1 }),
      fc.constantFrom('\ud800', '\ud83d', '\ude00', '%u'),
    );
    const text = fc.array(unit).map((units) => units.join(''));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.array(text, { minLength: 1 }), (a, b) => {
        const same = a.length === b.length && a.every((part, i) => part === b[i]);
        expect(buildKey(a[0]!, a.slice(1)) === buildKey(b[0]!, b.slice(1))).toBe(same);
      }),
    );
  });
});

describe('buildPath', () => {
  it('joins names below the tenant', () => {
    expect(buildPath('acme', ['invoices', '7.pdf'])).toBe('acme/invoices/7.pdf');
    expect(buildPath('a/b', ['x'])).toBe('a%2Fb/x');
    expect(buildPath('a\ud800', ['x'])).toBe('a%ud800/x');
  });

  it.each(['..', '.', '', 'a/b', '../x', 'a\\b', 'c:', 'a\u0000', 'a\n', 'a\u007f', 'a\u0085'])(
    'refuses %j',
    (part) => {
      expect(() => buildPath('acme', ['invoices', part])).toThrow(
        expect.objectContaining({ code: 'TENANT_UNSAFE_PATH' }),
      );
    },
  );

  it('refuses a tenant that is no name', () => {
    expect(() => buildPath('..', ['x'])).toThrow(
      expect.objectContaining({ code: 'TENANT_UNSAFE_PATH' }),
    );
  });
});
