import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resolveTenantOptions } from '../tenant.defaults.js';
import type { TenantIdentifierOptions } from '../tenant.options.js';
import { checkIdentifier } from './identifier.js';

const ruleOf = (identifier: TenantIdentifierOptions) =>
  resolveTenantOptions({ strategy: 'header', identifier }).identifier;
const rule = ruleOf({});

describe('checkIdentifier', () => {
  it.each([['acme'], ['Acme'], ['a'], ['0-1_2.3'], ['a..b'], ['x'.repeat(50)]])(
    'takes %j',
    (id) => {
      expect(checkIdentifier(id, rule)).toBe(id);
    },
  );

  it.each([
    [''],
    [' '],
    ['../etc'],
    ["a'b"],
    ['a:b'],
    ['a/b'],
    ['a\\b'],
    ['a b'],
    ['a\u0000'],
    ['a\n'],
    ['\nacme'],
    ['.'],
    ['..'],
    ['.acme'],
    ['_acme'],
    ['-acme'],
    ['__proto__'],
    ['аcme'],
    ['a%62'],
    ['x'.repeat(129)],
    ['x'.repeat(10_240)],
  ])('refuses %j', (id) => {
    expect(checkIdentifier(id, rule)).toBeUndefined();
  });

  it('matches a pattern as a whole, on every line of it and wherever the last match ended', () => {
    const loose = ruleOf({ pattern: /[a-z]+|^b$/gm });
    for (const id of ['abc', 'abc', 'b']) expect(checkIdentifier(id, loose)).toBe(id);
    for (const id of ['abc1', '1abc', 'abc\n1']) expect(checkIdentifier(id, loose)).toBeUndefined();
    const sticky = ruleOf({ pattern: /[A-Z]+/iy });
    for (const id of ['abc', 'abc']) expect(checkIdentifier(id, sticky)).toBe(id);
  });

  it('asks a slow pattern only for what is short enough', () => {
    const slow = ruleOf({ pattern: /(a+)+b/, maxLength: 8 });
    expect(checkIdentifier('a'.repeat(10_000), slow)).toBeUndefined();
  });

  it('normalises what is well-formed, and checks it again', () => {
    const lower = ruleOf({ normalize: (id) => id.toLowerCase() });
    expect(checkIdentifier('ACME', lower)).toBe('acme');
    expect(checkIdentifier("A'B", lower)).toBeUndefined();
    for (const made of ['../etc', '', 'x'.repeat(129), 7, undefined]) {
      const odd = ruleOf({ normalize: () => made as string });
      expect(checkIdentifier('acme', odd)).toBeUndefined();
    }
  });

  it('takes nothing but what the rule says, whatever it is given', () => {
    const well = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (id) => {
        expect(checkIdentifier(id, rule)).toBe(well.test(id) ? id : undefined);
      }),
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/), (id) => {
        expect(checkIdentifier(id, rule)).toBe(id);
      }),
    );
  });
});
