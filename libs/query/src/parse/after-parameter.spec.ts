import { describe, expect, it } from '@jest/globals';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import { parseQuery } from './parse-query.js';

const on = { cursors: true } as const;
const strict = { ...on, onInvalid: 'throw' } as const;

function problemsOf(query: object, options: object = on): readonly QueryProblem[] {
  try {
    parseQuery(query, undefined, options);
    return [];
  } catch (error) {
    if (error instanceof InvalidQueryError) return error.errors;
    throw error;
  }
}

describe('after', () => {
  it('is in the parsed query if the option is on and it is given', () => {
    expect(parseQuery({ after: 'abc', limit: '5' }, undefined, on)).toEqual({
      filters: [],
      sort: [],
      pagination: { page: 1, limit: 5, offset: 0 },
      search: '',
      after: 'abc',
    });
    expect(parseQuery({}, undefined, on)).not.toHaveProperty('after');
    expect(parseQuery({ after: '' }, undefined, on)).not.toHaveProperty('after');
    expect(parseQuery({ after: null, before: null }, undefined, on)).toEqual(
      parseQuery({}, undefined, on),
    );
    expect(parseQuery({ before: 'abc', after: '' }, undefined, on)).toMatchObject({
      before: 'abc',
    });
    expect(parseQuery({ before: '' }, undefined, on)).not.toHaveProperty('before');
    expect(parseQuery({ after: null, before: 'abc' }, undefined, strict)).toEqual(
      parseQuery({ before: 'abc' }, undefined, strict),
    );
    expect(parseQuery({ after: null, before: null }, undefined, strict)).toEqual(
      parseQuery({}, undefined, strict),
    );
  });

  it.each([{ after: 'abc' }, { after: ['a', 'b'], before: 'c' }, { 'after[x]': '1', page: '3' }])(
    'is ignored if the option is off: %j',
    (query) => {
      const rest = 'page' in query ? { page: query.page } : {};
      for (const onInvalid of ['drop', 'throw'] as const) {
        expect(parseQuery(query, undefined, { onInvalid })).toEqual(
          parseQuery(rest, undefined, { onInvalid }),
        );
      }
    },
  );

  it.each([
    [{ after: ['a', 'b'] }, 'malformed'],
    [{ after: ['a'] }, 'malformed'],
    [{ after: { x: 'a' } }, 'malformed'],
    [{ 'after[]': 'a' }, 'malformed'],
    [{ 'after[0]': 'a' }, 'malformed'],
    [{ 'after[x]': 'a' }, 'malformed'],
    [{ after: 5 }, 'malformed'],
    [{ after: 'a'.repeat(10_000_000) }, 'too-long'],
    [{ before: 'a', after: 'b' }, 'not-expressible'],
    [{ before: ['a'] }, 'malformed'],
    [{ before: 'a'.repeat(16_385) }, 'too-long'],
  ])('%# is refused, also without strict mode', (query, reason) => {
    expect(problemsOf(query)).toEqual([expect.objectContaining({ kind: 'cursor', reason })]);
  });

  it('replaces page numbers: they are dropped, and refused in strict mode', () => {
    for (const query of [
      { page: '2' },
      { page: '2', after: 'a' },
      { page: '1', after: 'a' },
      { page: '1', before: 'a' },
    ]) {
      expect(parseQuery(query, undefined, on).pagination).toMatchObject({ page: 1, offset: 0 });
      expect(problemsOf(query, strict)).toEqual([
        {
          kind: 'page',
          reason: 'not-expressible',
          expected: 'a cursor in `after` instead of a page number',
        },
      ]);
    }
    expect(problemsOf({ page: '1' }, strict)).toEqual([]);
  });
});
