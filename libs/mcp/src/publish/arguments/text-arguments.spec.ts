import { describe, expect, it } from '@jest/globals';
import { argumentsOfTexts } from './text-arguments.js';

const schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    ratio: { type: 'number' },
    done: { type: 'boolean' },
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    pages: { type: 'array', items: { type: 'integer' } },
    either: { type: ['integer', 'string'] },
    level: { $ref: '#/$defs/Level' },
    limit: {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', enum: ['all'] },
      ],
    },
    version: { oneOf: [{ $ref: '#/$defs/Level' }, { const: 'latest' }] },
    flag: { anyOf: [{ type: 'integer' }, { type: 'boolean' }, { type: 'null' }] },
    free: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    described: { allOf: [{ $ref: '#/$defs/Level' }], description: 'A level' },
    listed: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
    oneOrMore: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'string' }] },
    endless: { $ref: '#/$defs/Endless' },
  },
  $defs: {
    Level: { type: 'integer', enum: [1, 2] },
    Endless: { anyOf: [{ $ref: '#/$defs/Endless' }, { type: 'number' }] },
  },
};

describe('argumentsOfTexts', () => {
  it.each<[string, string | string[], unknown]>([
    ['id', '7', 7],
    ['id', '-7', -7],
    ['id', '7x', '7x'],
    ['id', '', ''],
    ['id', '0x10', '0x10'],
    ['ratio', '1.5e3', 1500],
    ['done', 'true', true],
    ['done', 'yes', 'yes'],
    ['title', '7', '7'],
    ['tags', 'a', ['a']],
    ['pages', ['1', '2'], [1, 2]],
    ['either', '7', '7'],
    ['level', '2', 2],
    ['limit', '5', 5],
    ['limit', 'all', 'all'],
    ['version', '2', 2],
    ['version', 'latest', 'latest'],
    ['flag', '5', 5],
    ['flag', 'true', true],
    ['free', '5', '5'],
    ['described', '2', 2],
    ['listed', '1', [1]],
    ['listed', ['1', '2'], [1, 2]],
    ['oneOrMore', '1', '1'],
    ['oneOrMore', ['1', '2'], [1, 2]],
    ['endless', '5', 5],
    ['unknown', '7', '7'],
    ['__proto__', '7', '7'],
  ])('reads %s from %j', (name, text, value) => {
    const args = argumentsOfTexts(schema, { [name]: text });
    expect(Object.entries(args)).toEqual([[name, value]]);
  });
});
