import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from './field-model.js';

const fieldOf = (schema: object) => fieldsOf({ properties: { it: schema } })?.[0];

describe('fieldsOf', () => {
  it('asks for each type with its control, type and limits', () => {
    expect(fieldOf({ type: 'string', minLength: 1, maxLength: 200 })).toMatchObject({
      kind: 'text',
      typeText: 'string, 1 to 200 characters',
      required: false,
    });
    expect(fieldOf({ type: 'integer', minimum: 1, default: 20 })).toMatchObject({
      kind: 'number',
      typeText: 'integer >= 1',
      fallback: '20',
    });
    expect(fieldOf({ type: 'boolean' })).toMatchObject({ kind: 'choice', choices: [true, false] });
    expect(fieldOf({ type: 'array', items: { type: 'string' }, maxItems: 5 })).toMatchObject({
      kind: 'list',
      typeText: 'array, <= 5 items',
      item: { kind: 'text' },
    });
    expect(fieldOf({ type: 'object', properties: { a: { type: 'number' } } })).toMatchObject({
      kind: 'object',
      fields: [{ name: 'a', kind: 'number' }],
    });
    expect(fieldOf({ not: {} })).toMatchObject({ kind: 'json' });
  });

  it('keeps null apart from the values', () => {
    expect(fieldOf({ type: ['string', 'null'], enum: ['a', null] })).toMatchObject({
      kind: 'choice',
      choices: ['a'],
      nullable: true,
    });
    expect(fieldOf({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toMatchObject({
      kind: 'number',
      nullable: true,
      typeText: 'integer or null',
    });
  });

  it('follows references, and asks for JSON where a schema contains itself', () => {
    const schema = {
      properties: { node: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    };
    let field = fieldsOf(schema)?.[0];
    while (field?.kind === 'object') field = field.fields[0];
    expect(field).toMatchObject({ name: 'next', kind: 'json' });
  });

  it('returns undefined for a schema without named properties', () => {
    expect(fieldsOf({ type: 'object' })).toBeUndefined();
  });
});
