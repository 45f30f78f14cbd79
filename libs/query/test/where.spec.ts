import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { filter } from '../src/build/filter.js';
import { buildQueryParams } from '../src/build/query-params.js';
import type { OptInOperator } from '../src/config/operators.js';
import {
  InvalidQueryError,
  type QueryProblem,
  type QueryProblemReason,
  UnbuildableQueryError,
} from '../src/query.errors.js';
import type { QueryOptions } from '../src/query.options.js';
import { parseQuery } from '../src/parse/parse-query.js';
import type { WhereNode } from '../src/parse/parsed-query.js';
import { countCalls } from '../../../test/support/count-calls.js';

const CONFIG = { filterable: ['a', 'b', 'or', 'x y'] } as const;
const ON = { where: true, operators: ['nin', 'isnull'] } as const;
type AnyNode = WhereNode<string, OptInOperator>;

function whereOf(where: unknown, options: QueryOptions<OptInOperator> = ON) {
  return parseQuery({ where }, CONFIG, options).where;
}

function refused(where: unknown, options: QueryOptions<OptInOperator> = ON) {
  try {
    whereOf(where, options);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidQueryError);
    return (error as InvalidQueryError).errors;
  }
  throw new Error('The query was not refused.');
}

const a1 = filter.eq('a', 1);
const b2 = filter.eq('b', 2);

describe('where', () => {
  it.each<[string, AnyNode]>([
    ['a:eq:1', a1],
    ['or(a:eq:1,b:eq:2)', { or: [a1, b2] }],
    ['and(a:eq:1)', { and: [a1] }],
    ['not(a:eq:1)', { not: a1 }],
    [' or( a:eq: 1 , not( b:eq:2 ) ) ', { or: [a1, { not: b2 }] }],
    ['a:in:"1,2"', filter.in('a', [1, 2])],
    ['or:eq:1', filter.eq('or', 1)],
    ['or(or:eq:1,x y:eq:z)', { or: [filter.eq('or', 1), filter.eq('x y', 'z')] }],
    ['a:eq:10:30:00', filter.eq('a', '10:30:00')],
    ['a:eq:"( ) , \\" \\\\ \\x"', filter.eq('a', '( ) , " \\ \\x')],
    ['a:eq:" "', filter.eq('a', ' ')],
    ['a:eq:b\\', filter.eq('a', 'b\\')],
    ['a:eq:or', filter.eq('a', 'or')],
    ['a:isnull:true', filter.isnull('a', true)],
  ])('reads %s', (text, node) => {
    expect(whereOf(text)).toEqual(node);
    expect(whereOf([text])).toEqual(node);
  });

  it('joins several by AND, with the filters', () => {
    expect(whereOf(['a:eq:1', 'b:eq:2'])).toEqual({ and: [a1, b2] });
    expect(parseQuery({ filter: 'a:eq:1', where: 'b:eq:2' }, CONFIG, ON)).toMatchObject({
      filters: [a1],
      where: b2,
    });
  });

  it('is ignored and absent unless the option is on; in strict mode it is refused', () => {
    for (const options of [{}, { where: false }]) {
      const parsed = parseQuery({ where: 'or(', 'where[]': 'x' }, CONFIG, options);
      expect(Object.keys(parsed)).toEqual(['filters', 'sort', 'pagination', 'search']);
    }
    expect(() => parseQuery({ 'where[]': 'x' }, CONFIG, { onInvalid: 'throw' })).toThrow(
      'where not-expressible (expected: `filter` instead of `where`)',
    );
    expect(parseQuery({}, CONFIG, ON)).not.toHaveProperty('where');
    expect(parseQuery({ where: [] }, CONFIG, ON)).not.toHaveProperty('where');
  });

  it('leaves filter as it is', () => {
    expect(parseQuery({ filter: 'or(a:eq:1)' }, undefined, ON).filters).toEqual([
      { field: 'or(a', operator: 'eq', value: '1)' },
    ]);
  });

  const FAULTS: readonly [unknown, QueryProblemReason, number][] = [
    ['', 'malformed', 0],
    ['a', 'malformed', 0],
    ['a:eq', 'malformed', 0],
    [':eq:1', 'malformed', 0],
    ['or()', 'malformed', 3],
    ['or(a:eq:1', 'malformed', 9],
    ['or(a:eq:1))', 'malformed', 10],
    ['or(a:eq:1,)', 'malformed', 10],
    ['or (a:eq:1)', 'malformed', 0],
    ['OR(a:eq:1)', 'malformed', 0],
    ['not(a:eq:1,b:eq:2)', 'malformed', 10],
    ['a:in:1,2', 'malformed', 6],
    ['a:eq:f(x)', 'malformed', 6],
    ['a:eq:"x', 'malformed', 7],
    ['a:eq:"x"y', 'malformed', 8],
    ['a:eq:x"y"', 'malformed', 6],
    ['some(a,a:eq:1)', 'malformed', 0],
    ['or(a:eq:1,none(a,a:eq:1))', 'malformed', 10],
    [{ a: 'b' }, 'malformed', 0],
    [7, 'malformed', 0],
    ['or(a:eq:1,b:eq:)', 'empty-value', 15],
    ['a:eq:""', 'empty-value', 5],
    ['or(a:eq:1,z:eq:1)', 'field-not-allowed', 10],
    ['or(a:eq:1,a:like:1)', 'unknown-operator', 10],
    ['not(not(not(not(not(not(a:eq:1))))))', 'too-deep', 20],
    [`or(${Array(50).fill('a:eq:1').join()})`, 'too-many', 346],
    [`a:eq:${'x'.repeat(1001)}`, 'too-long', 5],
    [`a:in:"${Array(101).fill('x').join()}"`, 'too-many', 5],
  ];
  it.each(FAULTS)('refuses %j: %s at %d', (where, reason, at) => {
    for (const onInvalid of ['drop', 'throw'] as const) {
      const reported: QueryProblem[] = [];
      const errors = refused(where, { ...ON, onInvalid, onReject: (one) => reported.push(one) });
      expect(errors).toEqual([expect.objectContaining({ kind: 'where', reason, at })]);
      expect(reported).toEqual(errors);
    }
  });

  it('lists the faults of several conditions at once, without the values', () => {
    const errors = refused(['or(z:eq:secret,a:like:secret)', 'a:eq:']);
    expect(errors.map(({ reason, at }) => [reason, at])).toEqual([
      ['field-not-allowed', 3],
      ['unknown-operator', 15],
      ['empty-value', 5],
    ]);
    expect(JSON.stringify(errors)).not.toContain('secret');
    expect(new InvalidQueryError(errors).message).toMatch(
      /^Invalid query: where "z" field-not-allowed at position 3; where "a" like unknown-operator at position 15; /,
    );
  });

  it('allows opt-in operators by option only', () => {
    const errors = refused('not(a:isnull:true)', { where: true });
    expect(errors).toMatchObject([{ reason: 'unknown-operator', field: 'a', operator: 'isnull' }]);
  });

  it('counts conditions and groups of all where, up to maxFilters', () => {
    const options = { ...ON, limits: { maxFilters: 3 } };
    expect(whereOf(['or(a:eq:1,a:eq:2)'], options)).toBeDefined();
    expect(refused(['or(a:eq:1,a:eq:2)', 'a:eq:3', 'a:eq:4'], options)).toMatchObject([
      { reason: 'too-many', expected: 'at most 3 conditions and groups' },
    ]);
  });

  it('stops at the depth limit', () => {
    expect(refused('not('.repeat(4000))).toMatchObject([{ reason: 'too-deep', at: 20 }]);
  });

  it('reads each character a few times at most', () => {
    for (const part of ['x', '\\"', ' ', 'or(']) {
      const text = `a:eq:"${part.repeat(10_000)}"(`;
      const reads = countCalls(String.prototype, 'charCodeAt', () => {
        expect(refused(text).length).toBeGreaterThan(0);
      });
      expect(reads).toBeLessThan(3 * text.length);
    }
  });
});

const value = fc
  .string({ unit: fc.constantFrom(...'ab(),":\\ \t1é%&+=', '😀', 'or('), maxLength: 8 })
  .filter((text) => text !== '');
const leaf = fc
  .tuple(fc.constantFrom('a', 'b', 'or', 'x y'), fc.constantFrom('eq', 'in', 'nin'), value)
  .map(([field, operator, text]): AnyNode => ({ field, operator: operator as 'eq', value: text }));
const trees = fc
  .letrec<{ node: AnyNode }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })),
      tie('node').map((not) => ({ not })),
    ),
  }))
  .node.filter(
    (node) => (JSON.stringify(node).match(/"(?:field|or|and|not)":/g) ?? []).length <= 50,
  );

describe('for every where', () => {
  it('parse(build(x)) is x', () => {
    fc.assert(
      fc.property(trees, (where) => {
        const built = buildQueryParams({ where });
        const parsed = parseQuery(built, CONFIG, ON);
        expect(parsed.where).toEqual(where);
        expect(buildQueryParams(parsed).where).toEqual(built.where);
      }),
      { numRuns: 3000 },
    );
  });

  it('a hostile text is read or refused with 400', () => {
    const unit = fc.constantFrom(
      ...['or(', 'and(', 'not(', 'some(', '(', ')', ',', '"', '\\', ':', ' ', 'a', 'a:eq:', '1'],
      ...['\0', '\ud800', '😀', 'constructor', '__proto__:eq:1', 'a:eq:1', 'b:in:"1,2"'],
    );
    let read = 0;
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), fc.boolean(), (text, open) => {
        try {
          const parsed = parseQuery({ where: text }, open ? undefined : CONFIG, ON);
          read++;
          expect(parseQuery(buildQueryParams(parsed), open ? undefined : CONFIG, ON)).toEqual(
            parsed,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidQueryError);
        }
      }),
      { numRuns: 20_000 },
    );
    expect(read).toBeGreaterThan(50);
  });
});

describe('filter.or, filter.and, filter.not', () => {
  it('write groups', () => {
    const where = filter.or(a1, filter.and(filter.in('b', ['x,y']), filter.not(b2)));
    expect(buildQueryParams({ where })).toEqual({
      where: ['or(a:eq:1,and(b:in:"x\\\\,y",not(b:eq:2)))'],
    });
    expect(buildQueryParams({ where: filter.and(a1, b2) })).toEqual({
      where: ['a:eq:1', 'b:eq:2'],
    });
  });

  it.each<[string, () => unknown]>([
    ['an empty or', () => filter.or()],
    ['an empty and', () => filter.and()],
    ['an empty group written by hand', () => buildQueryParams({ where: { or: [] } })],
    ['a field with a parenthesis', () => buildQueryParams({ where: filter.eq('or(a', 1) })],
    ['a field with a colon', () => buildQueryParams({ where: filter.eq('a:b', 1) })],
    ['a field with a blank before it', () => buildQueryParams({ where: filter.eq(' a', 1) })],
    ['an empty value', () => buildQueryParams({ where: filter.eq('a', '') })],
    [
      'groups nested too deep',
      () => {
        let where: AnyNode = a1;
        for (let i = 0; i < 6; i++) where = filter.not(where);
        return buildQueryParams({ where });
      },
    ],
  ])('refuse %s', (_, build) => {
    expect(build).toThrow(UnbuildableQueryError);
  });
});
