import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '../parse/parse-query.js';
import { declaredSpec } from './declared-columns.js';
import type { Condition } from './resolved-query.js';
import { resolveQuery } from './resolve-query.js';

const CONFIG = {
  columns: {
    title: 'string',
    'author.name': 'string',
    'tags.name': 'string',
    'tags.weight': 'integer',
    'tags.owner.name': 'string',
    'author.skills.name': 'string',
  },
  sortable: {},
  searchColumns: ['title', 'tags.name', 'tags.owner.name', 'author.name'],
  relations: {
    author: {},
    'author.skills': { many: true },
    tags: { many: true },
    'tags.owner': {},
  },
} as const;

/** `tags(name or weight)` for an EXISTS, with `!` in front of a negated one. */
function shapeOf(condition: Condition): string {
  if ('conditions' in condition) {
    return condition.conditions.map((part) => `[${shapeOf(part)}]`).join(` ${condition.kind} `);
  }
  if (condition.kind !== 'exists') return condition.column.name;
  const { negated, relation } = condition;
  return `${negated ? '!' : ''}${relation.name}(${shapeOf(condition.condition)})`;
}

describe('an EXISTS for conditions on one relation with several rows', () => {
  it.each([
    ['or(tags.name:eq:a,tags.name:eq:b)', 'tags([name] or [name])'],
    ['or(tags.name:eq:a,title:eq:x,tags.weight:gt:1)', '[tags([name] or [weight])] or [title]'],
    [
      'or(or(tags.name:eq:a,tags.name:eq:b),tags.weight:gt:1)',
      'tags([name] or [name] or [weight])',
    ],
    // Each may be met by another row.
    ['and(tags.name:eq:a,tags.name:eq:b)', '[tags(name)] and [tags(name)]'],
    ['not(or(tags.name:eq:a,tags.name:eq:b))', '!tags([name] or [name])'],
    ['not(and(tags.name:eq:a,tags.name:eq:b))', '[!tags(name)] or [!tags(name)]'],
    ['or(tags.name:eq:a,not(tags.name:eq:b))', '[tags(name)] or [!tags(name)]'],
    ['or(author.name:eq:a,author.name:eq:b)', '[author(name)] or [author(name)]'],
    [
      'or(tags.owner.name:eq:a,tags.name:eq:b,tags.owner.name:eq:c)',
      '[tags(owner([name] or [name]))] or [tags(name)]',
    ],
    [
      'not(or(author.skills.name:eq:a,author.skills.name:eq:b))',
      '!author(skills([name] or [name]))',
    ],
    [
      'or(tags.owner.name:isnull:true,tags.name:isnull:true,tags.weight:eq:1)',
      'tags([!owner(name)] or [name] or [weight])',
    ],
  ])('%s', (where, shape) => {
    const options = { where: true, operators: ['isnull'] } as const;
    const parsed = parseQuery({ where }, CONFIG, options);
    const resolved = resolveQuery(parsed, declaredSpec(CONFIG)).where;
    expect(resolved && shapeOf(resolved)).toBe(shape);
  });
});
