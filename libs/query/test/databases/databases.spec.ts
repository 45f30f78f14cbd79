// Needs PostgreSQL, MariaDB.
import { describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { ROWS } from '../support/dataset.js';
import { openMariadb, openPglite, openPostgres, openSqlite } from '../support/databases.js';

describe('the dataset', () => {
  it('is complete on SQLite', async () => {
    const table = await openSqlite();
    const database = new Sqlite(table.path);
    expect(database.prepare('select count(*) as n from tasks').get()).toEqual({ n: ROWS.length });
    database.close();
    await table.close();
  });
  it('is complete on PGlite', async () => {
    const { client, close } = await openPglite();
    const { rows } = await client.query('select * from tasks where id = 3');
    expect(rows).toEqual([expect.objectContaining({ title: 'Ab_c\\', created: ROWS[2]?.created })]);
    await close();
  });
  it('is complete on PostgreSQL', async () => {
    const table = await openPostgres();
    const found = await table.pool.query(`select * from ${table.table} where id = 3`);
    expect(found.rows).toEqual([expect.objectContaining({ title: 'Ab_c\\', uid: ROWS[2]?.uid })]);
    await table.close();
  });
  it('is complete on MariaDB', async () => {
    const table = await openMariadb();
    const [rows] = await table.pool.query(`select * from ${table.table} where id = 3`);
    expect(rows).toEqual([expect.objectContaining({ title: 'Ab_c\\', created: ROWS[2]?.created })]);
    await table.close();
  });
});
