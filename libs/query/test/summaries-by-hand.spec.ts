import { describe, expect, it } from '@jest/globals';
import { knexAdapter } from '@fledge/query/knex';
import knex from 'knex';
import { isInTier } from '../../../test/support/engines.js';
import { parseQuery } from '../src/parse/parse-query.js';
import { randomFrom, SUMMARY_CONFIG } from './support/summary-rows.js';
import { type ByHand, queryByHand } from './support/summary-sql.js';
import { openSummaries } from './support/summary-tables.js';

const ENGINES = (
  [
    ['SQLite', 'sqlite', 'better-sqlite3'],
    ['PostgreSQL', 'postgres', 'pg'],
    ['MariaDB', 'mariadb', 'mysql2'],
  ] as const
).filter(([name]) => isInTier(name));

describe.each(ENGINES)('summaries on %s', (_, dialect, client) => {
  it('are those of SQL that is written by hand, for 200 generated queries', async () => {
    const place = await openSummaries(dialect, 'milliseconds');
    const connection = dialect === 'sqlite' ? { filename: place.url } : place.url;
    const db = knex({ client, connection, useNullAsDefault: true });
    const { named } = place;
    const config = {
      ...SUMMARY_CONFIG,
      relations: {
        owner: { table: named('owners'), on: { id: `${named('tasks')}.owner_id` } },
        'owner.team': { table: named('teams'), on: { id: 'owner.team_id' } },
      },
    };
    const random = randomFrom(dialect.length);
    try {
      for (let run = 0; run < 200; run++) {
        const query = queryByHand(dialect, named, random);
        const options = { operators: ['isnull'], limits: { maxGroups: 1000 } } as const;
        const parsed = parseQuery(query.wire, config, options);
        const { aggregates } = await knexAdapter.summarize(parsed, config, db(named('tasks')));
        const expected = groupsByHand(await place.run(query.sql), query);
        expect([query, (aggregates?.groups ?? []).map(flat).toSorted()]).toEqual([query, expected]);
        expect(aggregates?.total).toBe(expected.length);
        function flat({ group, count, sum }: NonNullable<typeof aggregates>['groups'][number]) {
          const keys = query.keys.map((key) => group[key] ?? null);
          return JSON.stringify([...keys, count, numberOf(sum?.[query.number])]);
        }
      }
    } finally {
      await db.destroy();
      await place.close();
    }
  });
});

function groupsByHand(rows: readonly object[], { keys }: ByHand): string[] {
  return rows
    .map((row) => {
      const record = row as Record<string, unknown>;
      const values = keys.map((_, i) => record[`k${i}`]);
      return JSON.stringify([...values, Number(record['n']), numberOf(record['s'])]);
    })
    .toSorted();
}

/** Two digits after the point, as the amounts have. */
function numberOf(sum: unknown): string | null {
  return sum === null || sum === undefined ? null : Number(sum).toFixed(2);
}
