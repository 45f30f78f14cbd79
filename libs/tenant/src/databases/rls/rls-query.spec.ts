import { describe, expect, it } from '@jest/globals';
import { RlsQueryError } from './rls.errors.js';
import { knexQuery, pgQuery, readRows } from './rls-query.js';

describe('ways to the database', () => {
  it('give Knex its own placeholders, each with its value', async () => {
    const asked: unknown[] = [];
    const knex = {
      raw: (...args: unknown[]) => {
        asked.push(args);
        return Promise.resolve({ rows: [{ n: 1 }] });
      },
    };
    expect(await knexQuery(knex)('select $2, $1, $2', ['a', 'b'])).toEqual([{ n: 1 }]);
    expect(asked).toEqual([['select ?, ?, ?', ['b', 'a', 'b']]]);
  });

  it.each([null, undefined, 1, { rowCount: 1 }])('refuse %j for rows', async (answer) => {
    expect(() => readRows(answer)).toThrow(RlsQueryError);
    const query = pgQuery({ query: () => Promise.resolve(answer) });
    await expect(query('select 1', [])).rejects.toThrow('instead of rows');
  });
});
