// Exports rows to a reader that is slower than the database, and prints what arrived. Arguments: the rows, and a folder.
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { exportPages, parseQuery } from '@fledge/query';
import { kyselyAdapter } from '@fledge/query/kysely';
import { Kysely, SqliteDialect } from 'kysely';

const [count, folder] = process.argv.slice(2);
const database = new Sqlite(join(folder, 'rows.db'));
database.exec(`create table tasks (id integer primary key, title text not null);
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${Number(count)})
  insert into tasks select i, printf('%0500d', i) from n`);
const db = new Kysely({ dialect: new SqliteDialect({ database }) });
const TASKS = { columns: { id: { type: 'integer', nullable: false } }, primaryKey: 'id' };
const secret = 'of this program, and long enough';

const fetchPage = async (query) => {
  const options = { secret, after: query.after, lookAhead: true };
  const { apply, cursorOf } = kyselyAdapter.buildKeyset(query, TASKS, options);
  return { data: await apply(db.selectFrom('tasks').selectAll()).execute(), cursorOf };
};
const parsed = parseQuery({}, TASKS, { cursors: true });
const { stream } = await exportPages(fetchPage, parsed, { accept: 'text/csv', maxRows: 2_000_000 });
let lines = 0;
let bytes = 0;
let heap = 0;
for await (const chunk of stream) {
  for (const byte of chunk) if (byte === 10) lines++;
  bytes += chunk.length;
  heap = Math.max(heap, process.memoryUsage().heapUsed);
  await turn();
}
await db.destroy();
process.stdout.write(JSON.stringify({ lines, bytes, heap }));
