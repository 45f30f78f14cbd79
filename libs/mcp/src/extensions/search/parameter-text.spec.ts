import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import { parametersText } from './parameter-text.js';

const closed = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});

const linesOf = (schema: JsonSchema) => parametersText(schema).split('\n');

describe('parametersText', () => {
  it.each<[schema: object, words: string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{}, 'any'],
    [{ type: 'string', enum: ['a', 'b'] }, 'string, one of "a", "b"'],
    [{ const: 1 }, 'any, always 1'],
    [{ type: 'string', format: 'date-time' }, 'string, date-time'],
    [{ type: 'integer', minimum: 1, maximum: 5, default: 3 }, 'integer, 1 to 5, default 3'],
    [{ type: 'number', minimum: 0 }, 'number, at least 0'],
    [{ type: 'string', maxLength: 9 }, 'string, at most 9 characters'],
    [{ type: 'string', minLength: 1 }, 'string, not empty'],
    [{ type: 'string', pattern: '^a"$' }, 'string, matches "^a\\"$"'],
    [{ type: 'string', examples: ['x'] }, 'string, such as "x"'],
    [{ type: 'array', items: { type: 'string' }, maxItems: 2 }, 'list of string, at most 2 items'],
    [{ type: ['array', 'null'], items: { enum: [1] } }, 'list of any, one of 1 or null'],
    [{ type: 'array' }, 'list of any'],
    [{ type: 'object' }, 'object'],
    // What words would lose is shown as it is.
    [{ type: 'number', multipleOf: 5 }, '{"type":"number","multipleOf":5}'],
    [{ anyOf: [{ type: 'null' }] }, '{"anyOf":[{"type":"null"}]}'],
    [{ type: 'array', items: { not: {} } }, '{"type":"array","items":{"not":{}}}'],
    [
      { type: 'object', additionalProperties: { type: 'string' } },
      '{"type":"object","additionalProperties":{"type":"string"}}',
    ],
  ])('says %j in words', (schema, words) => {
    expect(linesOf(closed({ x: schema }))).toEqual(['**Parameters**', `- \`x\` (${words})`]);
  });

  it('indents the properties of objects, also behind references and in lists', () => {
    const Line = closed(
      { sku: { type: 'string', description: 'Number\nof the  article' }, amount: {} },
      { description: 'One article', required: ['sku'] },
    );
    const schema = closed(
      {
        lines: { type: 'array', items: { $ref: '#/$defs/Line' } },
        first: { $ref: '#/$defs/Line', description: 'The first' },
        to: { type: 'object', properties: { city: { type: 'string' } }, description: 'Address' },
      },
      { $defs: { Line }, required: ['lines'] },
    );
    expect(linesOf(schema)).toEqual([
      '**Parameters**',
      '- `lines` (list of Line object, required): One article',
      '  - `sku` (string, required): Number of the article',
      '  - `amount` (any)',
      '- `first` (Line, as above): The first',
      '- `to` (object): Address',
      '  - `city` (string)',
    ]);
  });

  it('describes definitions that contain themselves', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } };
    const Tree = { type: 'array', items: { $ref: '#/$defs/Tree' } };
    const Same = { $ref: '#/$defs/Same' };
    const properties = { node: { $ref: '#/$defs/Node' }, tree: { $ref: '#/$defs/Tree' }, Same };
    expect(linesOf(closed(properties, { $defs: { Node, Tree, Same } }))).toEqual([
      '**Parameters**',
      '- `node` (Node object)',
      '  - `next` (Node, as above)',
      '- `tree` (Tree list of Tree, as above)',
      '- `Same` (Same Same, as above)',
    ]);
  });

  it('shows the definitions that are behind what words cannot say', () => {
    const Odd = { type: 'number', multipleOf: 5 };
    const schema = closed({ odd: { $ref: '#/$defs/Odd' } }, { $defs: { Odd } });
    expect(linesOf(schema)).toEqual([
      '**Parameters**',
      '- `odd` ({"$ref":"#/$defs/Odd"})',
      `**$defs** ${JSON.stringify({ Odd })}`,
    ]);
  });

  it('says where there are none, and shows examples and what else is accepted', () => {
    expect(parametersText(closed({}))).toBe('No parameters.');
    expect(parametersText({ type: 'object' })).toBe('No parameters.');
    const open = { type: 'object', properties: { a: {} }, additionalProperties: true };
    expect(linesOf({ ...open, examples: [{ a: 1 }, { a: 2 }] })).toEqual([
      '**Parameters**',
      '- `a` (any)',
      '- any other parameters',
      '**Examples** {"a":1}, {"a":2}',
    ]);
  });

  it('shows rules over several parameters as JSON Schema', () => {
    const schema = closed({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(linesOf(schema)).toEqual(['**Parameters** (JSON Schema)', JSON.stringify(schema)]);
  });
});
