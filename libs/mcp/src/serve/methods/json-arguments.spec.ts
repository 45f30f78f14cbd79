import { describe, expect, it } from '@jest/globals';
import { withParsedJson } from './json-arguments.js';

const schema = {
  type: 'object',
  properties: {
    tags: { type: 'array', items: { type: 'string' } },
    filter: { $ref: '#/$defs/Filter' },
    either: { anyOf: [{ type: 'array' }, { $ref: '#/$defs/Filter' }, { type: 'null' }] },
    maybe: { type: ['object', 'null'] },
    text: { type: 'string' },
    textOrList: { type: ['array', 'string'] },
    textOrFilter: { oneOf: [{ type: 'string' }, { $ref: '#/$defs/Filter' }] },
    any: {},
    self: { $ref: '#/properties/self' },
  },
  $defs: { Filter: { type: 'object', properties: { tags: { type: 'array' } } } },
};

describe('withParsedJson', () => {
  it.each([
    ['tags', '["a","b"]', ['a', 'b']],
    ['tags', ' [] ', []],
    ['filter', '{"tags":["a"]}', { tags: ['a'] }],
    ['either', '[1]', [1]],
    ['maybe', '{}', {}],
  ])('parses %s: %s', (name, text, value) => {
    expect(withParsedJson({ [name]: text, text: '[1]' }, schema)).toEqual({
      [name]: value,
      text: '[1]',
    });
  });

  it.each([
    ['tags', ['a']],
    ['tags', 'a,b'],
    ['tags', '["a"'],
    ['tags', '['.repeat(300) + ']'.repeat(300)],
    ['tags', ''],
    ['text', '{"a":1}'],
    ['textOrList', '["a"]'],
    ['textOrFilter', '{}'],
    ['any', '[1]'],
    ['self', '[1]'],
    ['other', '[1]'],
    ['toString', '[1]'],
    ['__proto__', '[1]'],
  ])('keeps %s: %j', (name, value) => {
    const args = Object.fromEntries([[name, value]]);
    expect(withParsedJson(args, schema)).toBe(args);
  });

  it('keeps all arguments if the schema names none', () => {
    const args = { tags: '[]' };
    expect(withParsedJson(args, { type: 'object' })).toBe(args);
  });
});
