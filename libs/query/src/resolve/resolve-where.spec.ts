import { describe, expect, it } from '@jest/globals';
import { filter } from '../build/filter.js';
import type { OptInOperator } from '../config/operators.js';
import { parseQuery } from '../parse/parse-query.js';
import type { WhereNode } from '../parse/parsed-query.js';
import { InvalidQueryError, UnbuildableQueryError } from '../query.errors.js';
import { resolveQuery } from './resolve-query.js';

const columns = {
  n: { name: 'n', type: 'integer' },
  t: { name: 't', type: 'string' },
} as const;
const { n, t } = columns;

function resolved(where: WhereNode<string, OptInOperator>) {
  return resolveQuery({ ...parseQuery({}), where }, { columns }).where;
}

describe('where of resolveQuery', () => {
  it('moves not to the conditions', () => {
    const tree = filter.or(
      filter.eq('n', 1),
      filter.and(filter.gt('n', 2), filter.contains('t', 'x')),
    );
    expect(resolved(filter.not(tree))).toEqual({
      kind: 'and',
      conditions: [
        { kind: 'compare', operator: 'neq', field: 'n', column: n, value: 1 },
        {
          kind: 'or',
          conditions: [
            { kind: 'compare', operator: 'lte', field: 'n', column: n, value: 2 },
            { kind: 'text', operator: 'contains', field: 't', column: t, text: 'x', negated: true },
          ],
        },
      ],
    });
    expect(resolved(filter.not(filter.not(tree)))).toEqual(resolved(tree));
  });

  it.each([
    ['n:in:,', { kind: 'null', isNull: false }],
    ['n:nin:,', { kind: 'nothing' }],
    ['n:isnull:true', { kind: 'null', isNull: false }],
    ['n:isnull:false', { kind: 'null', isNull: true }],
    ['n:in:1', { kind: 'in', operator: 'nin' }],
  ])('complements %s', (text, condition) => {
    const options = { where: true, operators: ['nin', 'isnull'] } as const;
    const parsed = parseQuery({ where: `not(${text.replace(',', '"," ')})` }, undefined, options);
    expect(resolveQuery(parsed, { columns }).where).toMatchObject(condition);
  });

  it('is undefined without groups', () => {
    expect(resolveQuery(parseQuery({}), { columns })).toHaveProperty('where', undefined);
  });

  it('refuses a field that the spec does not contain, and each value that does not fit', () => {
    const where = filter.or(filter.eq('x', 1), filter.eq('constructor', 1), filter.eq('n', 'y'));
    try {
      resolved(where);
      throw new Error('not refused');
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidQueryError);
      expect((error as InvalidQueryError).errors).toMatchObject([
        { kind: 'where', field: 'x', reason: 'field-not-allowed' },
        { kind: 'where', field: 'constructor', reason: 'field-not-allowed' },
        { kind: 'where', field: 'n', reason: 'invalid-value' },
      ]);
    }
  });

  it('refuses an empty group', () => {
    expect(() => resolved({ and: [] })).toThrow(UnbuildableQueryError);
  });
});
