import { describe, expect, it } from '@jest/globals';
import type { Condition } from '../resolve/resolved-query.js';
import { conditionSql } from './condition-sql.js';
import type { SqlWriter } from './sql-writer.js';

const t = { field: 't', column: { name: 't', type: 'string' } } as const;
const d = { field: 'd', column: { name: 'd', type: 'decimal' } } as const;
const tags = { name: 'tags', many: true };

/** Names in brackets, values in braces. */
const writer: SqlWriter<{ readonly text: string }> = {
  engine: 'sqlite',
  hasCollations: false,
  comparesAsFloat: false,
  column: ({ name }, of) => ({ text: of ? `[${of.name}.${name}]` : `[${name}]` }),
  value: (value) => ({ text: `{${String(value)}}` }),
  related: ({ name }, condition) => [`(select 1 from ${name} where `, ...condition, ')'],
};

function sent(condition: Condition, engine: Partial<typeof writer> = {}): string {
  return conditionSql(condition, { ...writer, ...engine })
    .map((part) => (typeof part === 'string' ? part : part.text))
    .join('');
}

describe('conditionSql', () => {
  it.each<[string, Condition]>([
    ['[t] <> {a}', { kind: 'compare', operator: 'neq', ...t, value: 'a' }],
    ['[t] between {a} and {b}', { kind: 'between', ...t, from: 'a', to: 'b' }],
    ['[t] not in ({a}, {b})', { kind: 'in', operator: 'nin', ...t, values: ['a', 'b'] }],
    ['[t] is null', { kind: 'null', ...t, isNull: true }],
    ['[t] is not null', { kind: 'null', ...t, isNull: false }],
    ['1 = 0', { kind: 'nothing', ...t }],
    [
      `lower([t]) like lower({%5!%}) escape '!'`,
      { kind: 'text', operator: 'ends', ...t, text: '5%' },
    ],
    [
      `lower([t]) not like lower({a}) escape '!'`,
      { kind: 'text', operator: 'ieq', ...t, text: 'a', negated: true },
    ],
    [
      'not exists (select 1 from tags where ([tags.t] = {a} or [tags.t] is null))',
      {
        kind: 'exists',
        relation: tags,
        negated: true,
        condition: {
          kind: 'or',
          conditions: [
            { kind: 'compare', operator: 'eq', ...t, value: 'a' },
            { kind: 'null', ...t, isNull: true },
          ],
        },
      },
    ],
  ])('%s', (sql, condition) => {
    expect(sent(condition)).toBe(sql);
  });

  it('compares text of PostgreSQL with the default collation', () => {
    const like: Condition = { kind: 'text', operator: 'starts', ...t, text: 'a' };
    expect(sent(like, { hasCollations: true })).toBe(
      `lower([t] collate "default") like lower({a%}) escape '!'`,
    );
  });

  it('casts decimals where the engine would compare them as floating point', () => {
    const equals = (value: string): Condition => ({ kind: 'compare', operator: 'eq', ...d, value });
    expect(sent(equals('1.50'))).toBe('[d] = {1.50}');
    expect(sent(equals('1.50'), { comparesAsFloat: true })).toBe(
      '[d] = cast({1.50} as decimal(2, 1))',
    );
    expect(sent(equals('NaN'), { comparesAsFloat: true })).toBe('[d] = {NaN}');
  });
});
