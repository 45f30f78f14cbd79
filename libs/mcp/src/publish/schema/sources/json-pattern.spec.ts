import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonPatternOf } from './json-pattern.js';

describe('jsonPatternOf', () => {
  it.each<[unknown, unknown, unknown]>([
    [/^a\/b$/, undefined, { pattern: '^a\\/b$' }],
    [new RegExp('^[\\w\\-]+@\\-$', 'g'), undefined, { pattern: '^[\\w\\u002d]+@\\u002d$' }],
    [/\p{L}/u, undefined, { pattern: '\\p{L}' }],
    [/^\d+$/i, undefined, { pattern: '^\\d+$' }],
    [/^[a-z]$/i, undefined, { refused: 'JSON Schema does not support the flag "i"' }],
    [/^a$/m, undefined, { refused: 'JSON Schema does not support the flag "m"' }],
    [/a.b/s, undefined, { refused: 'JSON Schema does not support the flag "s"' }],
    [/a/y, undefined, { refused: 'JSON Schema does not support the flag "y"' }],
    ['^x', undefined, { pattern: '^x' }],
    ['^x', 'i', { refused: 'JSON Schema does not support the flag "i"' }],
    ['(', undefined, { refused: 'the value is not a regular expression' }],
    [/\c/, undefined, { refused: 'the pattern is not valid in Unicode mode' }],
  ])('%s with %s', (expression, modifiers, result) => {
    expect(jsonPatternOf(expression, modifiers)).toEqual(result);
  });

  it('matches what the expression matches, escapes and all', () => {
    const character = fc.constantFrom(...'-@_ /"%&~!#');
    fc.assert(
      fc.property(fc.array(character, { minLength: 1 }), fc.array(character), (escaped, text) => {
        const expression = new RegExp(`^[${escaped.map((c) => `\\${c}`).join('')}]*$`);
        const result = jsonPatternOf(expression, undefined);
        if (!('pattern' in result)) throw new Error(result.refused);
        expect(new RegExp(result.pattern, 'u').test(text.join(''))).toBe(
          expression.test(text.join('')),
        );
      }),
    );
  });
});
