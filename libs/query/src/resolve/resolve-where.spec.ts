import { describe, expect, it } from '@jest/globals';
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

function resolvedText(where: string) {
  return resolveQuery(parseQuery({ where }, undefined, { where: true }), { columns }).where;
}

describe('where of resolveQuery', () => {
  it('moves not to the conditions', () => {
    const tree = 'or(n:eq:1,and(n:gt:2,t:contains:x))';
    expect(resolvedText(`not(${tree})`)).toEqual({
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
    expect(resolvedText(`not(not(${tree}))`)).toEqual(resolvedText(tree));
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
    const eq = (field: string, value: string) => ({ field, operator: 'eq', value }) as const;
    try {
      resolved({ or: [eq('x', '1'), eq('constructor', '1'), eq('n', 'y')] });
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
