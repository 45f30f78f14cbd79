import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import type { JsonSchema } from '../decorators/author-schema.js';
import { declaredOutput } from './declared-output.js';
import { without } from './json-schema.js';
import { looseSchema } from './loose-schema.js';

// As the official clients validate: draft-07 in v1, 2020-12 in v2. Both compile the schemas of all tools.
const v1 = new Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false });
const v2 = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, logger: false });

/** Anything that OpenAPI documents, hand-written schemas and libraries may contain. */
const schemas = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const schema = tie('schema');
  const named = fc.dictionary(fc.constantFrom('a', 'b', 'body', 'result', '__proto__'), schema, {
    maxKeys: 2,
  });
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'schema' },
      fc.constant<JsonSchema>({}),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom('object', 'array', 'string', 'integer', 'null', 'date', ''),
            fc.constant(['object', 'null']),
            fc.constant([]),
          ),
          description: fc.constantFrom('text', 5),
          nullable: fc.boolean(),
          format: fc.constantFrom('date-time', 'email', 'no format', 'password'),
          pattern: fc.constantFrom('(', '^\\p{L}$', '(?<a>b)'),
          minimum: fc.constantFrom(5, 'five'),
          maxLength: fc.constant(1),
          enum: fc.constantFrom([], ['a'], [1, null], 'a'),
          const: fc.constantFrom(1, 'a'),
          properties: named,
          required: fc.constantFrom(['a'], ['a', 'b'], [], true, ['result']),
          additionalProperties: fc.oneof(fc.boolean(), schema),
          patternProperties: named,
          propertyNames: schema,
          minProperties: fc.constant(3),
          items: fc.oneof(fc.boolean(), schema, fc.array(schema, { maxLength: 2 })),
          prefixItems: fc.array(schema, { maxLength: 2 }),
          anyOf: fc.array(schema, { maxLength: 2 }),
          oneOf: fc.array(schema, { maxLength: 2 }),
          allOf: fc.array(schema, { maxLength: 2 }),
          not: schema,
          if: schema,
          discriminator: fc.constant({ propertyName: 'a' }),
          $id: fc.constant('https://example.com/schema'),
          $ref: fc.constantFrom(
            '#/$defs/A',
            '#/$defs/B',
            '#',
            'https://example.com/x',
            '#anchor',
            5,
          ),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonSchema>,
    ),
  };
}).schema;

const leaf = schemas.map((schema) => without(schema, '$ref', 'allOf', 'anyOf', 'oneOf'));

describe('declaredOutput', () => {
  it('makes of any schema one that strict validators compile, and that accepts any answer in body', () => {
    fc.assert(
      fc.property(
        schemas,
        leaf,
        fc.constantFrom('kept', 'dropped'),
        fc.jsonValue(),
        (schema, definition, required, body) => {
          const document = looseSchema({ ...schema, $defs: { A: definition, B: {} } }, required);
          const { object, json } = declaredOutput(document);
          expect(object.schema['type']).toBe('object');
          for (const ajv of [v1, v2]) {
            expect(ajv.compile(object.schema)({ body })).toBe(true);
            expect(ajv.compile(json.schema)({ body })).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('puts the properties of a class at the root, also if it refers to itself', () => {
    const Task = { type: 'object', properties: { parent: { $ref: '#/$defs/Task' } } };
    const document = { $ref: '#/$defs/Task', description: 'One', $defs: { Task } };
    expect(declaredOutput(document).object).toEqual({
      schema: { ...Task, description: 'One', $defs: { Task } },
      property: undefined,
    });
  });

  it('calls a schema that combines object schemas one of an object', () => {
    const A = { type: 'object', properties: { a: {} } };
    const document = { allOf: [{ $ref: '#/$defs/A' }, { type: 'object' }], $defs: { A } };
    expect(declaredOutput(document).json.schema).toEqual({ type: 'object', ...document });
  });

  it('adds a branch for body to an object schema that would refuse it', () => {
    const document = { type: 'object', additionalProperties: { type: 'number' } };
    const body = { type: 'object', properties: { body: {} }, required: ['body'] };
    expect(declaredOutput(document).object.schema).toEqual({
      type: 'object',
      anyOf: [document, body],
    });
  });
});
