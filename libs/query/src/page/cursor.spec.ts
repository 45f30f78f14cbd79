import { describe, expect, it } from '@jest/globals';
import type { ColumnType } from '../resolve/column.js';
import type { ResolvedSort } from '../resolve/resolved-query.js';
import { InvalidQueryConfigError, InvalidQueryError } from '../query.errors.js';
import { decodeCursor, encodeCursor } from './cursor.js';

const SECRET = 'sixteen bytes at least';
const key = (name: string, type: ColumnType, direction: 'asc' | 'desc' = 'asc'): ResolvedSort => ({
  field: name,
  column: { name, type },
  direction,
});
const ORDER = [key('created', 'timestamp', 'desc'), key('title', 'string'), key('id', 'bigint')];
const VALUES = [new Date('2026-01-31T10:30:15.250Z'), 'ä, "b"', 9007199254740993n];

describe('a cursor', () => {
  it('returns its values in their types', () => {
    expect(decodeCursor(encodeCursor(VALUES, ORDER, SECRET), ORDER, SECRET)).toEqual(VALUES);
    const others = [
      key('a', 'decimal'),
      key('b', 'boolean'),
      key('c', 'date'),
      key('d', 'number'),
      key('e', 'string'),
    ];
    const cursor = encodeCursor(['1.50', 1, new Date('2026-01-31'), -0.5, null], others, SECRET);
    expect(decodeCursor(cursor, others, SECRET)).toEqual(['1.50', true, '2026-01-31', -0.5, null]);
  });

  it('needs no escaping in a URL', () => {
    expect(encodeCursor(VALUES, ORDER, SECRET)).toMatch(/^[\w-]+\.[\w-]{22}$/);
  });

  it('is not made of values that are too long for `after`', () => {
    const encode = (title: string) =>
      encodeCursor([VALUES[0], title, 1n], ORDER, SECRET, { list: 'entity Task' });
    expect(encode('a'.repeat(12_000)).length).toBeLessThanOrEqual(16_384);
    expect(() => encode('a'.repeat(13_000))).toThrow(InvalidQueryError);
    expect(() => encode('a'.repeat(13_000))).toThrow('sort "title" not-expressible');
  });

  it('is refused if any character is changed', () => {
    const cursor = encodeCursor(VALUES, ORDER, SECRET);
    for (let i = 0; i < cursor.length; i++) {
      for (const char of ['A', 'B', '.', '=']) {
        if (cursor[i] === char) continue;
        const changed = cursor.slice(0, i) + char + cursor.slice(i + 1);
        expect(() => decodeCursor(changed, ORDER, SECRET)).toThrow('Invalid query: cursor');
      }
    }
  });

  it.each([
    ['of another direction', [key('created', 'timestamp'), ...ORDER.slice(1)], SECRET],
    ['of fewer keys', ORDER.slice(1), SECRET],
    ['of another column', [key('other', 'timestamp', 'desc'), ...ORDER.slice(1)], SECRET],
    ['of another type', [...ORDER.slice(0, 2), key('id', 'string')], SECRET],
    ['under another secret', ORDER, 'another secret of 16'],
  ])('%s is refused', (_, order, secret) => {
    const cursor = encodeCursor(VALUES, ORDER, SECRET);
    expect(() => decodeCursor(cursor, order, secret)).toThrow('Invalid query: cursor');
  });

  it.each([
    ['of another list', { list: 'entity Task' }, { list: 'entity User' }],
    ['of a named list where none is named', { list: 'entity Task' }, {}],
    ['of another tenant', { scope: 'acme' }, { scope: 'globex' }],
    ['of a tenant where there is none', { scope: 'acme' }, {}],
    ['whose scope only reads alike', { scope: ['a', 'b'] }, { scope: ['a,b'] }],
    ['whose scope names its list', { list: 'a' }, { scope: 'a' }],
  ])('%s is refused', (_, made, asked) => {
    const cursor = encodeCursor(VALUES, ORDER, SECRET, made);
    expect(() => decodeCursor(cursor, ORDER, SECRET, asked)).toThrow('Invalid query: cursor');
    expect(decodeCursor(cursor, ORDER, SECRET, made)).toEqual(VALUES);
  });

  it.each([{ scope: 7 }, { scope: [7] }, { list: 7 }])('refuses the scope %j', (scope) => {
    const fault = expect.objectContaining({ code: 'QUERY_INVALID_CONFIG' });
    expect(() => encodeCursor(VALUES, ORDER, SECRET, scope as never)).toThrow(fault);
    expect(() => decodeCursor('', ORDER, SECRET, scope as never)).toThrow(fault);
  });

  it('is accepted after a rotation while its secret is in the list', () => {
    const next = 'the secret of tomorrow';
    const cursor = encodeCursor(VALUES, ORDER, SECRET);
    expect(decodeCursor(cursor, ORDER, [next, SECRET])).toEqual(VALUES);
    expect(encodeCursor(VALUES, ORDER, [next, SECRET])).toBe(encodeCursor(VALUES, ORDER, next));
    expect(() => decodeCursor(cursor, ORDER, [next])).toThrow('Invalid query: cursor');
  });

  it.each([undefined, null, 7, ['a.b'], {}, '', '.', '..', 'a.b.c', 'e30', '\ud800.x'])(
    'refuses %p with a 400',
    (text) => {
      let thrown: unknown;
      try {
        decodeCursor(text, ORDER, SECRET);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({
        code: 'QUERY_INVALID',
        status: 400,
        errors: [
          {
            kind: 'cursor',
            reason: 'invalid-value',
            expected: 'a cursor of this list with the same sort order',
          },
        ],
      });
    },
  );

  it('refuses a 64-bit integer that the driver has rounded', () => {
    expect(() => encodeCursor([VALUES[0], 'a', 9007199254740992], ORDER, SECRET)).toThrow(
      'A row has no value of type bigint for the sort key "id"',
    );
    expect(encodeCursor([VALUES[0], 'a', 7], ORDER, SECRET)).toBe(
      encodeCursor([VALUES[0], 'a', 7n], ORDER, SECRET),
    );
  });

  it('stores the day of a Date at midnight in UTC or local time', () => {
    const order = [key('day', 'date')];
    for (const day of [new Date('2026-03-09T00:00:00Z'), new Date(2026, 2, 9), '2026-03-09']) {
      expect(decodeCursor(encodeCursor([day], order, SECRET), order, SECRET)).toEqual([
        '2026-03-09',
      ]);
    }
  });

  it.each([[undefined], [new Date(NaN)], [{}], ['2026-01-31 10:30:15']])(
    'refuses %p for a timestamp column',
    (value) => {
      expect(() => encodeCursor([value, 'a', 1n], ORDER, SECRET)).toThrow(
        'A row has no value of type timestamp for the sort key "created"',
      );
    },
  );

  it.each([
    ['short', 'shorter than 16 bytes'],
    [undefined, 'The cursor secret is missing.'],
    ['', 'missing'],
    [[], 'missing'],
    [[SECRET, undefined], 'missing'],
    [7, 'neither a string nor a Uint8Array'],
  ])('refuses the secret %j', (secret, fault) => {
    expect(() => encodeCursor(VALUES, ORDER, secret as string)).toThrow(fault);
    expect(() => decodeCursor('a.b', ORDER, secret as string)).toThrow(InvalidQueryConfigError);
  });
});
