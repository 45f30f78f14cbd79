import { describe, expect, it } from '@jest/globals';
import { explicitOutputOf } from './explicit-output.js';

describe('explicitOutputOf', () => {
  it('publishes the schema of an object as it is', () => {
    const schema = { type: 'object', properties: { id: { type: 'integer' } } };
    expect(explicitOutputOf(schema).object).toEqual({ schema, property: undefined });
  });

  it('puts any other value under a property, with its definitions where references find them', () => {
    const $defs = { Task: { type: 'object' } };
    expect(
      explicitOutputOf({ type: 'array', items: { $ref: '#/$defs/Task' }, $defs }).object,
    ).toEqual({
      schema: {
        type: 'object',
        properties: { result: { type: 'array', items: { $ref: '#/$defs/Task' } } },
        required: ['result'],
        $defs,
      },
      property: 'result',
    });
  });
});
