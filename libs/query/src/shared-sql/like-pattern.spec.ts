import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LIKE_ESCAPE, likePattern } from './like-pattern.js';

/** What LIKE ... ESCAPE matches, as the standard has it. */
function like(text: string, pattern: string, escape: string): boolean {
  const parts = [...pattern];
  let source = '';
  for (let i = 0; i < parts.length; i++) {
    const char = parts[i] as string;
    if (char === escape) source += literal(parts[++i] as string);
    else source += char === '%' ? '.*' : char === '_' ? '.' : literal(char);
  }
  return new RegExp(`^${source}$`, 'su').test(text);
}

const literal = (char: string) => `\\u{${(char.codePointAt(0) as number).toString(16)}}`;

describe('likePattern', () => {
  it('escapes wildcards and the escape character, but no backslash', () => {
    expect(likePattern('contains', '50%_!\\')).toBe('%50!%!_!!\\%');
    expect(likePattern('starts', 'a')).toBe('a%');
    expect(likePattern('ends', 'a')).toBe('%a');
    expect(likePattern('contains', '50%\\', '\\')).toBe('%50\\%\\\\%');
    expect(likePattern('contains', '$&', '$')).toBe('%$$&%');
  });

  it.each([LIKE_ESCAPE, '\\'])('matches what String.includes matches, with escape %s', (escape) => {
    const text = fc.string({ unit: fc.constantFrom('a', '%', '_', '!', '\\', '$') });
    fc.assert(
      fc.property(text, text, (whole, part) => {
        expect(like(whole, likePattern('contains', part, escape), escape)).toBe(
          whole.includes(part),
        );
        expect(like(whole, likePattern('starts', part, escape), escape)).toBe(
          whole.startsWith(part),
        );
        expect(like(whole, likePattern('ends', part, escape), escape)).toBe(whole.endsWith(part));
      }),
      { numRuns: 2000 },
    );
  });
});
