import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema, getVariableValues, Source } from 'graphql';
import { createArgumentValidator } from '../publish/arguments/argument-validator.js';
import type { JsonSchema } from '../publish/decorators/author-schema.js';
import { operationsOf } from './operations.js';
import { variablesSchemaOf } from './variables-schema.js';

const schema = buildSchema(`
  scalar DateTime
  "Anything"
  scalar JSON

  "State of a task"
  enum Status {
    OPEN
    "nothing is left to do"
    DONE
  }

  "Which tasks"
  input Filter {
    "Words of the title"
    title: String
    status: Status! = OPEN
    due: Range
    and: [Filter!]
    "Use title"
    words: String @deprecated
  }

  input Range {
    from: Float!
    to: Float
  }

  input Key @oneOf {
    id: ID
    number: Int
    range: Range
  }

  type Query {
    tasks(filter: Filter, "How many" first: Int, ids: [ID!], matrix: [[Int]], flags: [Boolean]): Int
    task(key: Key, at: DateTime, meta: JSON, status: Status): Int
  }
`);

const unknown: string[] = [];

function schemaOf(text: string, scalars: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  unknown.length = 0;
  const faults: string[] = [];
  const [operation] = operationsOf([new Source(text, 'a.graphql')], (_, fault) =>
    faults.push(fault),
  );
  expect(faults).toEqual([]);
  return variablesSchemaOf(operation!, schema, scalars, (scalar) => unknown.push(scalar));
}

function propertyOf(type: string, scalars?: Readonly<Record<string, JsonSchema>>): unknown {
  const { properties } = schemaOf(`query A($x: ${type}) { __typename }`, scalars);
  return (properties as Record<string, unknown>)['x'];
}

describe('the input schema of an operation', () => {
  it.each([
    ['ID!', { type: 'string' }],
    ['String!', { type: 'string' }],
    ['Int!', { type: 'integer' }],
    ['Float!', { type: 'number' }],
    ['Boolean!', { type: 'boolean' }],
    ['Int', { type: ['integer', 'null'] }],
    ['Int = 3', { type: ['integer', 'null'], default: 3 }],
    ['Int = null', { type: ['integer', 'null'] }],
    ['[Int!]!', { type: 'array', items: { type: 'integer' } }],
    [
      '[[Int]!] = [[1]]',
      {
        type: ['array', 'null'],
        items: { type: 'array', items: { type: ['integer', 'null'] } },
        default: [[1]],
      },
    ],
    [
      'Status! = DONE',
      {
        type: 'string',
        enum: ['OPEN', 'DONE'],
        description: 'State of a task\nDONE: nothing is left to do',
        default: 'DONE',
      },
    ],
    ['Filter!', { $ref: '#/$defs/Filter' }],
    ['Filter', { anyOf: [{ $ref: '#/$defs/Filter' }, { type: 'null' }] }],
    [
      'Filter! = { title: "a", due: { from: 1.5 } }',
      {
        $ref: '#/$defs/Filter',
        default: { title: 'a', due: { from: 1.5 } },
      },
    ],
  ])('has for %s', (type, expected) => {
    expect(propertyOf(type)).toEqual(expected);
  });

  it('requires the variables that are non-null and have no default', () => {
    const { required, additionalProperties } = schemaOf(
      'query A($a: Int!, $b: Int! = 1, $c: Int, $d: [Int]!) { __typename }',
    );
    expect(required).toEqual(['a', 'd']);
    expect(additionalProperties).toBe(false);
    expect(schemaOf('{ __typename }')).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    });
  });

  it('has input objects as definitions, once each, also those that contain themselves', () => {
    expect(schemaOf('query A($x: Filter!, $y: [Filter]) { __typename }')['$defs']).toEqual({
      Filter: {
        type: 'object',
        description: 'Which tasks',
        properties: {
          title: { type: ['string', 'null'], description: 'Words of the title' },
          status: {
            type: 'string',
            enum: ['OPEN', 'DONE'],
            description: 'State of a task\nDONE: nothing is left to do',
            default: 'OPEN',
          },
          due: { anyOf: [{ $ref: '#/$defs/Range' }, { type: 'null' }] },
          and: { type: ['array', 'null'], items: { $ref: '#/$defs/Filter' } },
          words: { type: ['string', 'null'], description: 'Use title', deprecated: true },
        },
        additionalProperties: false,
      },
      Range: {
        type: 'object',
        properties: { from: { type: 'number' }, to: { type: ['number', 'null'] } },
        required: ['from'],
        additionalProperties: false,
      },
    });
  });

  it('accepts exactly one field of a @oneOf input, and not null', async () => {
    const input = schemaOf('query A($key: Key!) { __typename }');
    const validate = (await createArgumentValidator())(input);
    const accepted = [{ id: '1' }, { number: 1 }, { range: { from: 1 } }];
    const refused = [{}, { id: null }, { id: '1', number: 1 }, { other: 1 }];
    expect(accepted.map((key) => validate({ key }))).toEqual([undefined, undefined, undefined]);
    expect(refused.filter((key) => validate({ key }) === undefined)).toEqual([]);
  });

  it('has the given schemas of scalars, and any value for others, which it reports', () => {
    const scalars = { DateTime: { type: 'string', format: 'date-time' } };
    expect(propertyOf('DateTime!', scalars)).toEqual(scalars.DateTime);
    expect(propertyOf('DateTime', scalars)).toEqual({
      type: ['string', 'null'],
      format: 'date-time',
    });
    expect(unknown).toEqual([]);
    expect(propertyOf('[JSON!]!')).toEqual({ type: 'array', items: { description: 'Anything' } });
    expect(unknown).toEqual(['JSON']);
  });

  it('describes variables by descriptions, comments above them, or the argument they fill', () => {
    const { properties } = schemaOf(`
      query A(
        # Ids of tasks,
        #   without their prefix
        $ids: [ID!] # and not this
        "Found words"
        # not this either
        $words: String

        # a blank line follows

        $first: Int
        $limit: Int
      ) {
        tasks(first: $first, ids: $ids, filter: { title: $words }, matrix: [[$limit]])
      }`);
    const entries = Object.entries(properties as Record<string, { description?: string }>);
    expect(entries.map(([name, { description }]) => [name, description])).toEqual([
      ['ids', 'Ids of tasks,\nwithout their prefix'],
      ['words', 'Found words'],
      ['first', 'How many'],
      ['limit', undefined],
    ]);
  });

  it('accepts only values that GraphQL coerces', async () => {
    const text = `query A($filter: Filter, $ids: [ID!]!, $key: Key, $status: Status! = OPEN, $matrix: [[Int]]) {
      tasks(filter: $filter, ids: $ids, matrix: $matrix) task(key: $key, status: $status)
    }`;
    const [operation] = operationsOf([new Source(text, 'a.graphql')], () => undefined);
    const validate = (await createArgumentValidator())(schemaOf(text));
    const leaf = fc.constantFrom(null, 'OPEN', 'DONE', true, 1, 1.5, 'text', [], {});
    const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary }, leaf);
    const object = (fields: Record<string, fc.Arbitrary<unknown>>) =>
      or(fc.record(fields, { requiredKeys: [] }));
    const list = (of: fc.Arbitrary<unknown>) => or(fc.array(of, { maxLength: 2 }));
    const status = or(fc.constantFrom('OPEN', 'DONE'));
    const number = or(fc.integer({ min: -9, max: 9 }));
    const range = object({ from: number, to: number });
    const { filter } = fc.letrec((tie) => ({
      filter: object({ title: or(fc.string()), status, due: range, and: list(tie('filter')) }),
    }));
    const variables = fc.record(
      {
        filter: filter,
        ids: list(or(fc.string())),
        key: object({ id: or(fc.string()), number, range }),
        status,
        matrix: list(list(number)),
      },
      { requiredKeys: ['ids'] },
    );
    let accepted = 0;
    fc.assert(
      fc.property(variables, (values) => {
        if (validate(values) !== undefined) return;
        accepted++;
        const definitions = operation!.node.variableDefinitions!;
        expect(getVariableValues(schema, definitions, values as never).errors).toBeUndefined();
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
