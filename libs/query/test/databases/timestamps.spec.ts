// The settings of docs/comparing.md for timestamps without a time zone: filters find the values of rows in any zone.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseQuery } from '@fledge/query';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { setTimeZone } from '../support/time-zone.js';
import { uniqueName } from '../support/walk-tables.js';

const connectionString = process.env['DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/test';
const table = uniqueName();
const COLUMNS = { id: 'integer', naive: 'timestamp', zoned: 'timestamp' } as const;
const AS_DATES: KyselyQueryConfig = { columns: COLUMNS, primaryKey: 'id' };
const AS_TEXT: KyselyQueryConfig = {
  ...AS_DATES,
  encode: (value) => (value instanceof Date ? value.toISOString() : value),
};
const parserOf = (id: number) =>
  id === 1114 || id === 1184 ? String : (pg.types.getTypeParser(id) as (text: string) => unknown);

interface Row {
  readonly id: number;
  readonly naive: unknown;
  readonly zoned: unknown;
}

function connect(types?: object) {
  const pool = new pg.Pool({ connectionString, ...(types && { types: types as never }) });
  return new Kysely<Record<string, Row>>({ dialect: new PostgresDialect({ pool }) });
}

describe.each(['UTC', 'Asia/Kolkata', 'America/New_York'])('in %s', (zone) => {
  const asDates = connect();
  const asText = connect({ getTypeParser: parserOf });

  beforeAll(async () => {
    setTimeZone(zone);
    const pool = new pg.Pool({ connectionString });
    await pool.query(`create table ${table} (id int, naive timestamp(3), zoned timestamptz(3))`);
    const at = '2026-07-01 20:00:00.250';
    await pool.query(`insert into ${table} values (1, '${at}', '${at}+00')`);
    await pool.end();
  });
  afterAll(async () => {
    setTimeZone(undefined);
    await asDates.schema.dropTable(table).execute();
    await asDates.destroy();
    await asText.destroy();
  });

  async function found(db: typeof asDates, config: KyselyQueryConfig, filter: string) {
    const query = kyselyAdapter.build(parseQuery({ filter }, config), config);
    return (await query.apply(db.selectFrom(table).selectAll()).execute()).length;
  }

  it('text and `encode` compare with UTC', async () => {
    expect(await found(asText, AS_TEXT, 'naive:eq:2026-07-01T20:00:00.250Z')).toBe(1);
    expect(await found(asText, AS_TEXT, 'zoned:eq:2026-07-01T20:00:00.250Z')).toBe(1);
  });

  it('Dates compare with the local time in which pg returns them', async () => {
    const row = await asDates.selectFrom(table).selectAll().executeTakeFirstOrThrow();
    for (const field of ['naive', 'zoned'] as const) {
      const at = (row[field] as Date).toISOString();
      expect(await found(asDates, AS_DATES, `${field}:eq:${at}`)).toBe(1);
    }
  });
});
