import { describe, expect, it } from '@jest/globals';
import { isTooDeep } from './json-depth.js';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('isTooDeep', () => {
  it.each([
    ['a number', '1', false],
    ['256 levels', nested(256), false],
    ['257 levels', nested(257), true],
    ['a hundred thousand', nested(100_000), true],
    ['many beside each other', `[${'{"a":[]},'.repeat(1_000)}1]`, false],
    ['brackets in a text', JSON.stringify(nested(1_000)), false],
    ['a text with quotes and backslashes', JSON.stringify({ a: '\\"[[['.repeat(300) }), false],
    ['levels behind such a text', `{"a":"\\\\","b":${nested(300)}}`, true],
  ])('judges %s', (_, json, tooDeep) => {
    expect(isTooDeep(json)).toBe(tooDeep);
  });
});
