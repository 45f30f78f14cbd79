import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  buildSchema,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { jit } from './jit.js';

const typeDefs = `
  type Query {
    hello(name: String = "you", times: Int, when: Moment, options: Options, mood: Mood): String
    world: String!
    fails: String
    failsHard: String!
    failsLater: Int
    failsOddly: String
    number: Int
    bad: Int
    moment: Moment
    brokenMoment: Moment
    hidden: Secret
    moods: [Mood]
    matrix: [[Int!]!]
    things: [Thing]
    thing: Thing
    pet: Pet
    pets: [Pet!]
    strange: Pet
    any: [Any]
    node: Node
    nodes: [Node!]!
    notList: [Int]
    throwsWhileIterated: [Int]
    info: String
    odd_key: Int
  }
  type Mutation { add(n: Int!): Int, addLater(n: Int!): Int, addBad: Int! }
  type Node { id: ID! child: Node strict: Node! text(upper: Boolean! = false): String failing: Int failingHard: Int! later: [Node] }
  type Thing { name: String method: Int promise: String }
  interface Pet { name: String! }
  type Dog implements Pet { name: String! barks: Boolean }
  type Cat implements Pet { name: String! lives: Int }
  union Any = Dog | Node
  scalar Moment
  scalar Secret
  enum Mood { GOOD BAD }
  input Options { deep: Options, list: [Int!], mood: Mood = GOOD, when: Moment, text: String }
`;

function schemaOf(): GraphQLSchema {
  const schema = buildSchema(typeDefs);
  const moment = schema.getType('Moment') as GraphQLScalarType;
  moment.serialize = (value) => {
    if (value === 'broken') throw new Error('secret of the database');
    return (value as Date).toISOString();
  };
  moment.parseValue = (value) => new Date(value as string);
  moment.parseLiteral = (node) => new Date((node as { value: string }).value);
  (schema.getType('Secret') as GraphQLScalarType).serialize = () => undefined;
  const node = (schema.getType('Node') as GraphQLObjectType).getFields();
  node['text']!.resolve = async ({ id }: { id: number }, { upper }: { upper: boolean }) => {
    await wait(0);
    return upper ? `NODE ${id}` : `node ${id}`;
  };
  return schema;
}

class Thing {
  name = 'thing';

  method(_args: object, { factor }: { factor: number }) {
    return this.name.length * factor;
  }
  promise = Promise.resolve('kept');
}

function nodeOf(id: number): object {
  return {
    id,
    child: () => (id > 3 ? null : nodeOf(id + 1)),
    strict: id % 2 === 0 ? nodeOf(id + 1) : null,
    failing: () => Promise.reject(new GraphQLError('failing', { extensions: { code: 'A' } })),
    failingHard: () => {
      throw new TypeError('hard');
    },
    later: () => [wait(2, { id: 8 }), { id: 9 }, Promise.reject(new Error('item')), null],
  };
}

function rootOf() {
  let sum = 0;
  return {
    hello: (args: object) => JSON.stringify(args),
    world: 'world',
    fails: () => {
      throw new Error('fails');
    },
    failsHard: () => new Error('returned'),
    failsLater: async () => {
      await wait(0);
      throw new GraphQLError('later', { extensions: { code: 'LATER' } });
    },
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- applications do
    failsOddly: () => Promise.reject('odd'),
    number: 42,
    bad: 'NaN',
    moment: new Date(0),
    brokenMoment: 'broken',
    hidden: 1,
    moods: ['GOOD', 'BAD', 'UGLY'],
    matrix: [[1, Promise.resolve(2)], new Set([3]), Promise.resolve([4]), 5],
    things: new Set([new Thing(), null]),
    thing: () => new Thing(),
    pet: { __typename: 'Dog', name: 'rex', barks: () => true },
    pets: [
      { __typename: 'Dog', name: 'rex' },
      Promise.resolve({ __typename: 'Cat', name: 'tom', lives: 9 }),
    ],
    strange: { __typename: 'Node' },
    any: [
      { __typename: 'Dog', name: 'rex' },
      { __typename: 'Node', ...nodeOf(1) },
      {},
      { __typename: 'Query' },
    ],
    node: () => nodeOf(0),
    nodes: () => [nodeOf(0), nodeOf(1)],
    notList: { length: 1 },
    *throwsWhileIterated() {
      yield 1;
      throw new Error('iterated');
    },

    info: (_args: object, _context: object, info: Record<string, unknown>) => {
      const { fieldName, fieldNodes, path, operation, fragments, variableValues } =
        info as never as {
          fieldName: string;
          fieldNodes: { alias?: { value: string } }[];
          path: { key: string };
          operation: { name?: { value: string } };
          fragments: object;
          variableValues: object;
        };
      return JSON.stringify([
        fieldName,
        fieldNodes.map(({ alias }) => alias?.value),
        path.key,
        operation.name?.value,
        Object.keys(fragments),
        variableValues,
      ]);
    },
    odd_key: 7,
    add: ({ n }: { n: number }) => (sum += n),
    addLater: async ({ n }: { n: number }) => {
      await wait(1);
      return (sum += n);
    },
    addBad: () => null,
  };
}

const executor = jit({ after: 1 });
const schema = schemaOf();

async function both(
  source: string,
  variableValues?: Record<string, unknown>,
  operationName?: string,
) {
  await executor.load?.();
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const run = (by: typeof executor) =>
    by({
      schema,
      document,
      rootValue: rootOf(),
      contextValue: { factor: 2 },
      variableValues,
      operationName,
    });
  const before = JSON.stringify(document);
  await run(executor);
  const compiled = await run(executor);
  expect(JSON.stringify(document)).toBe(before);
  return { expected: shown(await run(execute)), compiled: shown(compiled) };
}

/** What clients and `formatError` see. The order of errors depends on timing. */
function shown({ data, errors, ...rest }: ExecutionResult) {
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
    errors: errors
      ?.map((error) => ({
        ...(JSON.parse(JSON.stringify(error)) as object),
        graphql: error instanceof GraphQLError,
        nodes: error.nodes?.map(({ loc }) => loc?.start),
        source: error.source?.body,
        thrown: error.originalError?.constructor.name,
      }))
      .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    ...rest,
  };
}

const hasErrors = ({ errors = [] }: ReturnType<typeof shown>) => errors.length > 0;

/** The errors whose own field is null, and not a field around it. */
function inPlace({ data, errors = [] }: ReturnType<typeof shown>) {
  return errors.filter((error) => {
    const path = (error as { path?: (string | number)[] }).path ?? [];
    const parent = path.slice(0, -1).reduce<any>((at, key) => at?.[key], data); // oxlint-disable-line typescript/no-explicit-any -- any JSON
    return parent !== null && parent !== undefined;
  });
}

type Row = readonly [source: string, variables?: Record<string, unknown>];

const operations = (rows: readonly Row[]) =>
  rows.map(([source, variables]) => ({ source, variables }));

describe('jit()', () => {
  it.each(
    operations([
      ['{ world }'],
      ['{ a: world b: world ...F } fragment F on Query { a: world c: number }'],
      ['{ hello }'],
      ['{ hello(name: null, times: 3, when: "2026-01-01", mood: BAD) }'],
      ['{ hello(options: { deep: { list: [1, 2], text: "x" }, when: "2026-01-01" }) }'],
      ['query($t: Int, $l: [Int!]) { hello(times: $t, options: { list: $l }) }', { t: 1, l: 4 }],
      ['query($t: Int, $l: [Int!]) { hello(times: $t, options: { list: $l }) }', {}],
      ['query($t: Int!) { hello(times: $t) }', { t: 'no' }],
      ['query($t: Int!) { hello(times: $t) }', {}],
      ['query($t: Int!) { hello(times: $t) }', { t: 2 ** 40 }],
      ['query($o: Options) { hello(options: $o) }', { o: { deep: { nope: 1 } } }],
      ['query($o: Options) { hello(options: $o) }', { o: { mood: 'BAD', when: '2026-01-01' } }],
      ['query($o: Options) { hello(options: $o) }', { o: { when: 'not a date', list: null } }],
      ['{ fails world }'],
      ['{ failsHard world }'],
      ['{ failsLater failsOddly world }'],
      ['{ number bad moment brokenMoment hidden moods }'],
      ['{ matrix }'],
      ['{ thing { name method promise } things { name method promise } }'],
      ['{ pet { name ... on Dog { barks } __typename } }'],
      ['{ pets { name ... on Cat { lives } } }'],
      ['{ strange { name } }'],
      ['{ any { __typename ... on Dog { name } ... on Node { id text } } }'],
      ['{ node { id child { id child { id strict { id } } } } }'],
      ['{ node { strict { strict { id } } } }'],
      ['{ nodes { id failing } }'],
      ['{ nodes { failingHard } }'],
      ['{ node { later { id } } }'],
      ['{ notList world }'],
      ['{ throwsWhileIterated world }'],
      ['query Named { x: info info }'],
      [
        'query($v: Int) { info hello(times: $v) ...F } fragment F on Query { y: info @include(if: true) number @skip(if: true) world }',
        { v: 1 },
      ],
      [
        'query($a: Boolean!) { world @skip(if: $a) node { id @include(if: $a) text(upper: $a) } }',
        { a: true },
      ],
      [
        'query($a: Boolean!) { world @skip(if: $a) node { id @include(if: $a) text(upper: $a) } }',
        { a: false },
      ],
      ['query($a: Boolean = true) { world @skip(if: $a) number }', { a: null }],
      [
        'query($a: Boolean!) { ...F @include(if: $a) ...G } fragment F on Query { node { id } } fragment G on Query { node { ...H } } fragment H on Node { id text }',
        { a: false },
      ],
      ['{ __proto__: world constructor: number toString: world }'],
      ['{ odd_key odd: node { key: id } key_odd: number }'],
      ['{ node_text: number text_node: world node { text } }'],
      ['{ idx0: world nodes { id } Dog: world pets { name } }'],
      ['{ __schema { queryType { name } } __type(name: "Node") { name } __typename }'],
      ['{ t: __typename node { __typename } }'],
      ['mutation { a: add(n: 1) b: addLater(n: 2) c: add(n: 3) d: addLater(n: 4) }'],
      ['mutation { a: addLater(n: 1) addBad b: add(n: 1) }'],
      ['mutation { addBad addLater(n: 1) }'],
    ]),
  )('answers $source $variables as graphql-js does', async ({ source, variables }) => {
    const { expected, compiled } = await both(source, variables);
    expect(compiled).toEqual(expected);
  });

  it('answers generated operations as graphql-js does', async () => {
    await fc.assert(
      fc.asyncProperty(selection('Query', 3), async (source) => {
        const { expected, compiled } = await both(
          `query ($yes: Boolean = true, $no: Boolean = false) { used: __typename @skip(if: $yes) @include(if: $no) ...Q } fragment Q on Query ${source}`,
          {},
        );
        expect(compiled.data).toEqual(expected.data);
        expect(hasErrors(compiled)).toBe(hasErrors(expected));
        // Of several errors that make one field null, graphql-js reports the first.
        expect(inPlace(compiled)).toEqual(inPlace(expected));
      }),
      { numRuns: 150 },
    );
  });

  it('gives argument values to resolvers only, never to the compiler', async () => {
    const { resolve } = createRequire(import.meta.url);
    const compiler = readFileSync(resolve('graphql-jit/dist/execution.js'), 'utf8');
    const marks = [...compiler.matchAll(/const MAGIC_\w+ = "(.+)";/g)].map(([, mark]) => mark!);
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) {
      for (const text of [mark, `${mark}globalThis.reached=1`]) {
        const values = [`name: "${text}"`, `options: { text: "${text}" }`];
        for (const value of values) {
          const { expected, compiled } = await both(`{ hello(${value}) }`);
          expect(compiled).toEqual(expected);
          expect(JSON.stringify(compiled.data)).toContain(text);
        }
        const { expected, compiled } = await both(
          `query($n: String = "${text}") { hello(name: $n) }`,
        );
        expect(compiled).toEqual(expected);
      }
    }
    expect(globalThis).not.toHaveProperty('reached');
  });

  it('does not compile what would take long', async () => {
    const bomb = Array.from(
      { length: 25 },
      (_, i) => `fragment F${i} on Node { a: child { ...F${i + 1} } b: child { ...F${i + 1} } }`,
    );
    const source = `{ node { ...F0 } } ${bomb.join(' ')} fragment F25 on Node { id }`;
    const { expected, compiled } = await both(source);
    expect(compiled).toEqual(expected);

    const document = parse(source);
    const last = document.definitions.at(-1) as FragmentDefinitionNode;
    const { selectionSet } = last;
    let reads = 0;
    const count = () => {
      reads += 1;
      if (reads > 1_000) throw new Error('33 million would follow.');
      return selectionSet;
    };
    Object.defineProperty(last, 'selectionSet', { enumerable: true, get: count });
    for (let i = 0; i < 2; i += 1) await executor({ schema, document, rootValue: rootOf() });
    // At most 500 fields are compiled, and each fragment counts at each use.
    expect(reads).toBeGreaterThan(10);
    expect(reads).toBeLessThan(500);
  });

  it('leaves the schema as it was, also after a failure of the compiler', async () => {
    const own = schemaOf();
    const fields = own.getQueryType()!.getFields();
    const by = jit({ after: 1 });
    await by.load?.();
    const args = {
      schema: own,
      document: parse('{ world hello(name: "a") }'),
      rootValue: rootOf(),
    };
    await by(args);
    expect(await by(args)).toEqual({ data: { world: 'world', hello: '{"name":"a"}' } });
    expect(fields['hello']!.resolve).toBeUndefined();
    expect(fields['hello']!.args).toHaveLength(5);
    // Instrumentation replaces resolvers at any time.
    fields['world']!.resolve = () => 'replaced';
    expect(await by(args)).toMatchObject({ data: { world: 'replaced' } });
  });

  it('keeps the operations that were used last', async () => {
    const by = jit({ after: 1, maxOperations: 2 });
    await by.load?.();
    for (let i = 0; i < 50; i += 1) {
      const document = parse(`{ a${i % 7}: world }`);
      const args = { schema, document, rootValue: rootOf() };
      for (let run = 0; run < 3; run += 1) {
        expect(await by(args)).toEqual({ data: { [`a${i % 7}`]: 'world' } });
      }
    }
  });

  it('runs other operations of a document by their name', async () => {
    const source = 'query A { world } query B { number }';
    for (const name of ['A', 'B', 'C', undefined]) {
      const { expected, compiled } = await both(source, undefined, name);
      expect(compiled).toEqual(expected);
    }
  });

  it('refuses types of one name after another, such as Ab.c and A.bc', async () => {
    const own = buildSchema('type Query { a: A, b: Ab } type A { bc: Int } type Ab { c: Int }');
    const by = jit({ after: 1 });
    await by.load?.();
    const rootValue = { a: { bc: 1 }, b: { c: 2 } };
    const args = { schema: own, document: parse('{ a { bc } b { c } }'), rootValue };
    for (let run = 0; run < 3; run += 1) {
      expect(await by(args)).toEqual({ data: { a: { bc: 1 }, b: { c: 2 } } });
    }
  });

  it.each([{ after: 0 }, { maxFields: 1.5 }, { maxOperations: Number.NaN }])(
    'refuses the options %j',
    (options) => {
      expect(() => jit(options)).toThrow(/must be a whole number of at least 1/);
    },
  );
});

/** Any selection set of a type, with aliases, fragments and conditions. */
function selection(typeName: string, depth: number): fc.Arbitrary<string> {
  const types: Record<string, { leaves: string[]; objects: [string, string][] }> = {
    Query: {
      leaves: [
        'world',
        'fails',
        'failsLater',
        'failsOddly',
        'number',
        'bad',
        'moment',
        'brokenMoment',
        'moods',
        'matrix',
        'notList',
        'odd_key',
        '__typename',
        'hello(times: 2, mood: BAD)',
        'failsHard',
      ],
      objects: [
        ['thing', 'Thing'],
        ['things', 'Thing'],
        ['pet', 'Pet'],
        ['pets', 'Pet'],
        ['strange', 'Pet'],
        ['any', 'Any'],
        ['node', 'Node'],
        ['nodes', 'Node'],
      ],
    },
    Node: {
      leaves: ['id', 'text', 'text(upper: true)', 'failing', 'failingHard'],
      objects: [
        ['child', 'Node'],
        ['strict', 'Node'],
        ['later', 'Node'],
      ],
    },
    Thing: { leaves: ['name', 'method', 'promise'], objects: [] },
    Pet: {
      leaves: ['name', '__typename', '... on Dog { barks }', '... on Cat { lives }'],
      objects: [],
    },
    Any: { leaves: ['__typename', '... on Dog { name }', '... on Node { id text }'], objects: [] },
  };
  const { leaves, objects } = types[typeName]!;
  const condition = fc.constantFrom(
    '',
    '',
    '',
    ' @skip(if: $no)',
    ' @include(if: $yes)',
    ' @include(if: $no)',
    ' @skip(if: true)',
  );
  const leaf = fc
    .tuple(fc.constantFrom(...leaves), condition)
    .map(([text, when]) => (text.startsWith('...') ? text : `${text}${when}`));
  const nested =
    depth === 0 || objects.length === 0
      ? leaf
      : fc
          .constantFrom(...objects)
          .chain(([field, type]) =>
            fc
              .tuple(selection(type, depth - 1), condition)
              .map(([inside, when]) => `${field}${when} ${inside}`),
          );
  return (
    fc
      .array(fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: nested }), {
        minLength: 1,
        maxLength: 5,
      })
      // Aliases, so that two fields with other arguments do not conflict.
      .map(
        (fields) =>
          `{ ${fields.map((text, i) => (text.startsWith('...') ? text : `${'abcde'[i]}: ${text}`)).join(' ')} }`,
      )
  );
}
