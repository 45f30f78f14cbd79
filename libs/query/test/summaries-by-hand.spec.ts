import { describe, expect, it } from '@jest/globals';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
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

const config = {
  columns: { id: { type: 'integer', nullable: false }, due: 'date', created: 'timestamp' },
  primaryKey: 'id',
  groupable: ['due', 'created'],
} as const satisfies KnexQueryConfig;

const STAMPS = {
  sqlite: String(Date.UTC(9999, 11, 31, 23, 59, 59, 999)),
  postgres: "'9999-12-31T23:59:59.999Z'",
  mariadb: "'9999-12-31 23:59:59.999'",
};

describe.each(ENGINES)('summaries on %s', (_, dialect, client) => {
  it('have the last day and the last moment of the year 9999', async () => {
    const place = await openSummaries(dialect, 'milliseconds');
    const connection = dialect === 'sqlite' ? { filename: place.url } : place.url;
    const db = knex({ client, connection, useNullAsDefault: true });
    const tasks = place.named('tasks');
    try {
      const stamp = STAMPS[dialect];
      await place.run(
        `insert into ${tasks} (id, due, created) values (9001, '9999-12-31', ${stamp}), (9002, '9999-12-30', ${stamp})`,
      );
      const groupsOf = async (group: string) => {
        const wire = { filter: 'id:gte:9001', group };
        const parsed = parseQuery(wire, config, { onInvalid: 'throw' });
        const { aggregates } = await knexAdapter.summarize(parsed, config, db(tasks));
        return aggregates?.groups.map((it) => [...Object.values(it.group), it.count]).toSorted();
      };
      expect(await groupsOf('due:year')).toEqual([['9999', 2]]);
      expect(await groupsOf('due:day')).toEqual([
        ['9999-12-30', 1],
        ['9999-12-31', 1],
      ]);
      expect(await groupsOf('created:day')).toEqual([['9999-12-31', 2]]);
    } finally {
      await db.destroy();
      await place.close();
    }
  });

  it('are those of SQL that is written by hand, for 200 generated queries', async () => {
    const place = await openSummaries(dialect, 'milliseconds');
    const connection = dialect === 'sqlite' ? { filename: place.url } : place.url;
    const db = knex({ client, connection, useNullAsDefault: true });
    const { named } = place;
    const joined = {
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
        const parsed = parseQuery(query.wire, joined, options);
        const { aggregates } = await knexAdapter.summarize(parsed, joined, db(named('tasks')));
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
