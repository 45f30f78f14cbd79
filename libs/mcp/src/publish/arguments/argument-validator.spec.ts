import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createArgumentValidator, omittedIfNull, withoutNulls } from './argument-validator.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { OperationInput } from '../schema/operation-input.js';

const TASK: JsonSchema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    email: { type: 'string', format: 'email' },
    role: { type: 'string', enum: ['admin', 'user'] },
    tags: { type: 'array', items: { type: 'string' }, uniqueItems: true },
    assignee: { $ref: '#/$defs/Person' },
    step: { type: 'number', multipleOf: 0.01 },
  },
  required: ['id'],
  additionalProperties: false,
  $defs: {
    Person: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, boss: { $ref: '#/$defs/Person' } },
      required: ['email'],
    },
  },
};

const FORMATS = [
  ...['email', 'idn-email', 'date-time', 'date', 'time', 'duration'],
  ...['ipv4', 'ipv6', 'uuid', 'json-pointer'],
];

describe('createArgumentValidator', () => {
  let validatorOf: Awaited<ReturnType<typeof createArgumentValidator>>;
  let faults: (args: unknown) => string | undefined;

  beforeAll(async () => {
    validatorOf = await createArgumentValidator();
    faults = validatorOf(TASK);
  });

  it.each<[unknown, string | undefined]>([
    [{ id: 1 }, undefined],
    [
      {
        id: 1,
        tags: ['a', 'b'],
        assignee: { email: 'a@b.c', boss: { email: 'ü@b.c' } },
        step: 0.07,
      },
      undefined,
    ],
    [{}, 'Missing argument "id".'],
    [undefined, 'Missing argument "id".'],
    [{ id: 1, foo: 2 }, 'Unknown argument "foo".'],
    [{ id: 'x', email: 'nobody' }, '/id must be integer; /email must match format "email".'],
    [{ id: 1, role: 'root' }, '/role must be one of "admin", "user".'],
    [{ id: 1, tags: ['a', 'a'] }, '/tags must NOT have duplicate items.'],
    [{ id: 1, assignee: {} }, '/assignee must have the property "email".'],
    [{ id: 1, assignee: { email: 'x' } }, '/assignee/email must match format "email".'],
    [null, 'The arguments must be an object.'],
    [[1], 'The arguments must be an object.'],
    ['id', 'The arguments must be an object.'],
  ])('judges %j', (args, sentence) => {
    expect(faults(args)).toBe(sentence);
  });

  it('is not taken in by names every object inherits', () => {
    const inherited = validatorOf({
      type: 'object',
      properties: { constructor: { type: 'string' } },
      required: ['constructor', 'toString'],
      additionalProperties: false,
    });
    expect(inherited({})).toBe('Missing argument "constructor"; Missing argument "toString".');
    expect(faults(JSON.parse('{"id":1,"__proto__":{"id":2}}'))).toBe(
      'Unknown argument "__proto__".',
    );
    expect(faults({ id: 1, toString: 1, constructor: 2 })).toBe(
      'Unknown argument "toString"; Unknown argument "constructor".',
    );
  });

  it('tells at most ten faults, however many there are and however long their names', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`x${i}`, i]));
    const sentence = faults({ ...many, id: 1 }) ?? '';
    expect(sentence.split('; ')).toHaveLength(11);
    expect(sentence.endsWith('; and more.')).toBe(true);
    expect((faults({ id: 1, ['y'.repeat(1_000_000)]: 1 }) ?? '').length).toBeLessThan(200);
  });

  it('refuses endless depth instead of breaking', () => {
    let boss: Record<string, unknown> = { email: 1 };
    for (let depth = 0; depth < 100_000; depth++) boss = { email: 'a@b.c', boss };
    expect(faults({ id: 1, assignee: boss })).toBe('The arguments are nested too deeply.');
    let list: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) list = [list];
    expect(faults({ id: 1, tags: [list] })).toEqual(expect.any(String));
  });

  it('takes steps linear to the input', () => {
    const distinct = validatorOf({
      type: 'object',
      properties: { list: { type: 'array', uniqueItems: true } },
    });
    let reads = 0;
    const item = (i: number) =>
      Object.defineProperty({}, 'i', { enumerable: true, get: () => (reads++, i) });
    const list = Array.from({ length: 5_000 }, (_, i) => item(i));
    expect(distinct({ list })).toBeUndefined();
    // Comparing each item with each other reads 25 million times.
    expect(reads).toBeLessThanOrEqual(2 * list.length);
    const people = validatorOf({
      type: 'object',
      properties: { list: { type: 'array', items: { $ref: '#/$defs/Person' } } },
      $defs: TASK['$defs'],
    });
    let visits = 0;
    const visited = new Proxy({}, { getOwnPropertyDescriptor: () => void visits++ });
    const nobody = Array.from({ length: 5_000 }, () => visited);
    expect(people({ list: nobody })).toBe('/list/0 must have the property "email".');
    // Listing the faults of all items takes quadratic time: ajv copies its list at each reference.
    expect(visits).toBeLessThan(10);
  });

  it('checks formats in linear time, whatever the text', () => {
    // A cubic check of this text takes minutes.
    const text = `${':'.repeat(20_000)}x`;
    for (const format of FORMATS) {
      const validate = validatorOf({ type: 'object', properties: { value: { format } } });
      expect(validate({ value: text })).toBe(`/value must match format "${format}".`);
    }
  });

  it.each([
    ['ipv6', ['::', '::1', 'FE80::1%eth0', '::ffff:1.2.3.4'], ['', ':', '1.2.3.4', '::1%', '::g']],
    ['time', ['12:30', '12:30:01', '12:30:01Z', 'T12:30', '2:30 pm'], ['', 'noon']],
    ['duration', ['PT1.5S', 'P1W', '-PT1H', '1h30m'], ['', 'long']],
    ['date', ['2020-01-01', '2020-02-30'], ['', '2020', '01/02/2020', '2020-01-01T10:00:00Z']],
  ])('accepts each %s that a route may accept', (format, valid, invalid) => {
    const validate = validatorOf({ type: 'object', properties: { value: { format } } });
    for (const value of valid) expect([value, validate({ value })]).toEqual([value, undefined]);
    for (const value of invalid)
      expect([value, validate({ value })]).toEqual([
        value,
        `/value must match format "${format}".`,
      ]);
  });

  it('counts characters as the most lenient validator does', () => {
    const validate = validatorOf({
      type: 'object',
      properties: { most: { maxLength: 2 }, least: { minLength: 2 } },
    });
    const both = validatorOf({
      type: 'object',
      properties: { a: { pattern: '^b', maxLength: 2 } },
    });
    expect(both({ a: 'aaa' })).toBe('/a must NOT have more than 2 characters.');
    // class-validator does not count variation selectors.
    for (const most of ['ab', '😀😀', '❤️❤️', '❤️😀', '\ufe0f\ufe0f'])
      expect([most, validate({ most })]).toEqual([most, undefined]);
    for (const most of ['abc', '😀😀😀', '❤️❤️❤️', '\ufe0f\ufe0f\ufe0f'])
      expect(validate({ most })).toBe('/most must NOT have more than 2 characters.');
    // valibot counts UTF-16 code units.
    for (const least of ['ab', '😀', '❤️'])
      expect([least, validate({ least })]).toEqual([least, undefined]);
    expect(validate({ least: 'a' })).toBe('/least must NOT have fewer than 2 characters.');
  });

  it('never throws and never stays silent about a value that is no object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const sentence = faults(value);
        expect(sentence === undefined || sentence.endsWith('.')).toBe(true);
        if (typeof value !== 'object' || value === null || Array.isArray(value))
          expect(sentence).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  it('takes any property named by a schema, and refuses any other', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          // No parameter has the name '', which ajv's `required` does not see either.
          fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
          { minLength: 1 },
        ),
        fc.string(),
        (names, other) => {
          const validate = validatorOf({
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
            required: names,
            additionalProperties: false,
          });
          const args = Object.fromEntries(names.map((name) => [name, 1]));
          expect(validate(args)).toBeUndefined();
          if (!names.includes(other))
            expect(validate({ ...args, [other]: 1 })).toContain('Unknown argument');
          expect(validate({})).toContain('Missing argument');
        },
      ),
      { numRuns: 100 },
    );
  });

  it('overlooks a null where a null is left out of the request', () => {
    const lenient = validatorOf(TASK, new Set(['email']));
    expect(lenient({ id: 1, email: null })).toBeUndefined();
    expect(lenient({ id: null, email: null })).toBe('/id must be integer.');
  });

  it('judges a hand-written schema whatever its dialect, and two of one $id', () => {
    for (const limit of [1, 2]) {
      const validate = validatorOf({
        $schema: 'http://json-schema.org/draft-07/schema#',
        $id: 'https://example.com/same',
        type: 'object',
        properties: { n: { $ref: '#/definitions/N' }, word: { pattern: '^[a\\-z]+$' } },
        definitions: { N: { type: 'number', maximum: limit } },
        if: { properties: { n: { const: 1 } }, required: ['n'] },
        then: { required: ['word'] },
      });
      expect(validate({ n: limit, word: 'a' })).toBeUndefined();
      expect(validate({ n: limit + 1, word: 'a' })).toBe(`/n must be <= ${limit}.`);
      expect(validate({ n: 1 })).toBe(limit === 0 ? undefined : 'Missing argument "word".');
    }
  });

  it.each([
    [{ pet: { kind: 'fish' } }, '/pet/kind must be one of "cat", "dog".'],
    [{ pet: { lives: 9 } }, '/pet must have the property "kind".'],
    [{ pet: { kind: 'dog' } }, '/pet must have the property "breed".'],
    [{ pet: { kind: 'dog', breed: 1 } }, '/pet/breed must be string.'],
    [{ pet: 7 }, '/pet must be object.'],
    [{ z: 'z' }, '/z must not be "z".'],
    [{ y: 2 }, '/y must not be 1, 2.'],
    [{ x: 2 }, '/x must NOT be valid.'],
    [{ pet: { kind: 'cat', lives: 9 }, z: 'a', y: 3, x: 'x' }, undefined],
  ])('says what the variant of a union lacks, and which values are excluded: %j', (args, fault) => {
    const variant = (kind: string, model: string) => ({
      $ref: `#/$defs/${model}`,
      properties: { kind: { const: kind } },
      required: ['kind'],
    });
    const model = (name: string, type: string) => ({
      type: 'object',
      properties: { [name]: { type } },
      required: [name],
    });
    const validate = validatorOf({
      type: 'object',
      properties: {
        pet: {
          anyOf: [{ anyOf: [variant('cat', 'Cat'), variant('dog', 'Dog')] }, { type: 'null' }],
        },
        z: { not: { const: 'z' } },
        y: { not: { enum: [1, 2] } },
        x: { not: { type: 'number' } },
      },
      $defs: { Cat: model('lives', 'number'), Dog: model('breed', 'string') },
    });
    expect(validate(args)).toBe(fault);
  });

  it('names an unknown argument of a union', () => {
    const validate = validatorOf({
      type: 'object',
      properties: { id: { type: 'string' } },
      anyOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'number' } } }],
      unevaluatedProperties: false,
    });
    expect(validate({ id: 'x', a: 'y' })).toBeUndefined();
    expect(validate({ id: 'x', b: 1, c: 1 })).toBe('Unknown argument "c".');
  });
});

const input: OperationInput = {
  schema: { type: 'object', required: ['page', 'title'] },
  places: [
    { argument: 'id', target: 'path', name: 'id' },
    { argument: 'page', target: 'query', name: 'page' },
    { argument: 'q', target: 'query', name: 'q' },
    { argument: 'note', target: 'body', name: 'note' },
  ],
  body: 'fields',
};

describe('omittedIfNull', () => {
  it('names the optional arguments of the query', () => {
    expect([...omittedIfNull(input)]).toEqual(['q']);
  });

  it('leaves every other null to the schema', () => {
    expect(withoutNulls({ q: null, note: null }, omittedIfNull(input))).toEqual({ note: null });
    expect(withoutNulls({ q: '' }, omittedIfNull(input))).toEqual({ q: '' });
    expect(withoutNulls(null, omittedIfNull(input))).toBeNull();
  });
});
