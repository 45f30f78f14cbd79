import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  type FragmentDefinitionNode,
  getIntrospectionQuery,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { exceedingNode, type Measure, OperationMeasure } from './operation-measure.js';

const operationOf = (document: DocumentNode) =>
  document.definitions.find(
    (each): each is OperationDefinitionNode => each.kind === Kind.OPERATION_DEFINITION,
  )!;

function measured(source: string): Readonly<Measure> {
  const document = parse(source);
  return new OperationMeasure(document).ofOperation(operationOf(document));
}

/** The line of the first node that exceeds a limit. */
function lineOf(source: string, limit: keyof Measure, maximum: number): number | undefined {
  const document = parse(source);
  const measure = new OperationMeasure(document);
  return exceedingNode(operationOf(document), measure, limit, maximum).loc?.startToken.line;
}

/** Writes out each fragment, and counts what it passes. */
function counted(document: DocumentNode): Measure {
  const total: Measure = { depth: 0, fields: 0, rootFields: 0, aliases: 0, directives: 0 };
  const fragment = (name: string) =>
    document.definitions.find(
      (each): each is FragmentDefinitionNode =>
        each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === name,
    )!;
  const count = ({ selections }: SelectionSetNode, level: number): void => {
    for (const selection of selections) {
      total.directives += selection.directives?.length ?? 0;
      if (selection.kind === Kind.FIELD) {
        total.fields += 1;
        total.rootFields += level === 1 ? 1 : 0;
        total.aliases += selection.alias ? 1 : 0;
        total.depth = Math.max(total.depth, level);
        if (selection.selectionSet) count(selection.selectionSet, level + 1);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) count(selection.selectionSet, level);
      else {
        const spread = fragment(selection.name.value);
        total.directives += spread.directives?.length ?? 0;
        count(spread.selectionSet, level);
      }
    }
  };
  const operation = operationOf(document);
  total.directives += operation.directives?.length ?? 0;
  count(operation.selectionSet, 1);
  return total;
}

/** Valid documents with up to four fragments; each may spread those after it. */
const documents = fc.letrec<{ field: string; set: string; nested: string }>((tie) => ({
  field: fc.constantFrom('a', 'x: a', 'a @skip(if: true)', 'y: a @skip(if: true) @live'),
  nested: fc.oneof(
    { maxDepth: 4 },
    tie('field'),
    tie('set').map((set) => `q ${set}`),
    tie('set').map((set) => `z: q @live ${set}`),
    tie('set').map((set) => `... on Q @live ${set}`),
    fc.nat(3).map((n) => `...F${n}`),
    fc.nat(3).map((n) => `...F${n} @live`),
  ),
  set: fc.array(tie('nested'), { minLength: 1, maxLength: 4 }).map((all) => `{ ${all.join(' ')} }`),
})).set;
const withFragments = fc
  .tuple(documents, documents, documents, documents, documents)
  .map(([operation, ...fragments]) => {
    const later = (set: string, least: number) =>
      set
        .replace(/\.\.\.F(\d)/g, (spread, n) => (Number(n) < least ? 'a' : spread))
        .replace(/a @live/g, 'a');
    const written = fragments.map(
      (set, n) => `fragment F${n} on Q${n % 2 ? ' @live' : ''} ${later(set, n + 1)}`,
    );
    return `query @live ${operation} ${written.join(' ')}`;
  });

describe('OperationMeasure', () => {
  it('counts as if each fragment were written out', () => {
    fc.assert(
      fc.property(withFragments, (source) => {
        const document = parse(source);
        expect(measured(source)).toEqual(counted(document));
      }),
      { numRuns: 500 },
    );
  });

  it('counts fragments at each use', () => {
    expect(measured('{ ...F q { ...F } } fragment F on Q @f { x: a @d q { a } }')).toEqual({
      depth: 3,
      fields: 7,
      rootFields: 3,
      aliases: 2,
      directives: 4,
    });
  });

  it('counts the directives of an operation and its variables', () => {
    expect(measured('query ($a: Int @a, $b: Int @b @c) @d { a }').directives).toBe(4);
  });

  it('takes a moment for fragments that double two thousand times', () => {
    const twice = (n: number) => `fragment F${n} on Q { q { ...F${n + 1} } x: q { ...F${n + 1} } }`;
    const bomb = `{ ...F0 } ${Array.from({ length: 600 }, (_, n) => twice(n)).join(' ')} fragment F600 on Q { a }`;
    const { depth, fields } = measured(bomb);
    expect(depth).toBe(601);
    expect(fields).toBeGreaterThan(2 ** 600);
    expect(lineOf(`${bomb}`, 'fields', 1_000_000)).toBe(1);
  });

  it('ends for fragments that spread themselves, and for unknown ones', () => {
    const cycle = '{ ...A } fragment A on Q { ...B ...A x: a } fragment B on Q { ...A q { ...B } }';
    expect(measured(cycle).aliases).toBeGreaterThan(0);
    expect(measured('{ ...Missing a }').fields).toBe(1);
    for (const limit of ['depth', 'fields', 'rootFields', 'aliases', 'directives'] as const) {
      for (let maximum = 0; maximum < 4; maximum += 1) lineOf(cycle, limit, maximum);
    }
  });

  it('is within the defaults for the introspection query of clients', () => {
    const introspection = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    expect(validate(buildSchema('type Query { a: Int }'), parse(introspection))).toEqual([]);
    expect(measured(introspection)).toEqual({
      depth: 1,
      fields: 1,
      rootFields: 1,
      aliases: 0,
      directives: 0,
    });
    expect(counted(parse(introspection))).toMatchObject({ aliases: 0, directives: 0 });
  });
});

describe('exceedingNode()', () => {
  const source = `query
    @operation {
      a @skip(if: true)
      x: a
      q { ...F }
      y: a
    }
    fragment F on Q {
      z: a
      q {
        a
      }
    }`;

  it.each([
    ['depth', 1, 9],
    ['depth', 2, 11],
    ['fields', 2, 5],
    ['fields', 5, 11],
    ['rootFields', 3, 6],
    ['aliases', 1, 9],
    ['aliases', 2, 6],
    ['directives', 0, 1],
    ['directives', 1, 3],
  ] as const)('finds what exceeds %s of %i in line %i', (limit, maximum, line) => {
    expect(lineOf(source, limit, maximum)).toBe(line);
  });
});
