import { describe, expect, it } from '@jest/globals';
import { compileTablePattern, isClosed } from './closed-parentheses.js';

describe('compileTablePattern', () => {
  it.each([
    'select from note',
    'NOTE',
    '"note"',
    'select from U&"not\\0065"',
    `u&"!006eote" uescape '!'`,
  ])('matches %s', (sql) => expect(compileTablePattern('note').test(sql)).toBe(true));

  it.each(['notes', 'my_note', 'menu&"x"'])('does not match %s', (sql) =>
    expect(compileTablePattern('note').test(sql)).toBe(false),
  );
});

describe('isClosed', () => {
  it.each([
    '',
    'a = ?',
    '(a or b) and (c)',
    `a = ')' and b = 'it''s ('`,
    `"od)d" = 1 or \`(\` = 2`,
    `a ~ '\\d+\\\\'`,
    'a #>> ? and b #- ?',
    '/*+ index(x */ a',
    'a$b$c = 1',
  ])('accepts %s', (text) => expect(isClosed(text)).toBe(true));

  it.each([
    '1 = 1) or (1 = 1',
    '(a',
    'a)',
    `'a`,
    `'\\') or (1 = 1 or 'x' = '`,
    'a -- ',
    'a # all',
    'a /* b',
    'a */ b',
    '/*! ) or ( */',
    '/*M! ) or ( */',
    '/* /* */ ) or ( /* */ */',
    `$$ ' $$ ) or (1 = 1 $$ ' $$`,
    'a; delete',
  ])('rejects %s', (text) => expect(isClosed(text)).toBe(false));
});
