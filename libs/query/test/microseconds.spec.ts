// A Date has milliseconds. A cursor made of it points before its own row if the column stores microseconds, so that each
// page would start with the last row of the page before.
import { describe, expect, it } from '@jest/globals';
import { InvalidQueryError, parseQuery } from '@fledge/query';
import { drizzleAdapter } from '@fledge/query/drizzle';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { EntitySchema as MikroSchema, MikroORM } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import * as mysql from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import { DataSource, EntitySchema } from 'typeorm';

const options = { secret: 'of tests alone, and long enough' };
const inOrderOf = (field: string) => parseQuery({ sort: `${field}:asc` });

function expectKeys(
  fine: readonly string[],
  cut: readonly string[],
  page: (field: string) => void,
) {
  for (const field of fine) expect(() => page(field)).not.toThrow();
  for (const field of cut) {
    expect(() => page(field)).toThrow(InvalidQueryError);
    expect(() => page(field)).toThrow(`sort "${field}" not-expressible`);
  }
}

describe('a timestamp with microseconds is no sort key of cursors', () => {
  it('of Drizzle, unless it is text', () => {
    const table = pg.pgTable('t', {
      id: pg.integer().primaryKey(),
      byDefault: pg.timestamp(),
      zoned: pg.timestamp({ withTimezone: true, precision: 6 }),
      milli: pg.timestamp({ precision: 3 }),
      seconds: pg.timestamp({ precision: 0 }),
      text: pg.timestamp({ mode: 'string' }),
    });
    const { id, byDefault, zoned, milli, seconds, text } = table;
    // It stores milliseconds only.
    const trusted = { column: byDefault, hasCursors: true };
    const columns = { id, byDefault, zoned, milli, seconds, text, trusted };
    const config = { columns, primaryKey: id };
    const page = (field: string) => drizzleAdapter.buildKeyset(inOrderOf(field), config, options);
    expectKeys(['milli', 'seconds', 'text', 'trusted'], ['byDefault', 'zoned'], page);
    expect(() => drizzleAdapter.build(inOrderOf('zoned'), config)).not.toThrow();
  });

  it('of Drizzle on MySQL', () => {
    const table = mysql.mysqlTable('t', {
      id: mysql.int().primaryKey(),
      seconds: mysql.datetime(),
      milli: mysql.timestamp({ fsp: 3 }),
      micro: mysql.datetime({ fsp: 6 }),
    });
    const { id, seconds, milli, micro } = table;
    const config = { columns: { id, seconds, milli, micro } };
    expectKeys(['seconds', 'milli'], ['micro'], (field) =>
      drizzleAdapter.buildKeyset(inOrderOf(field), config, options),
    );
  });

  it.each([
    ['postgres', ['milli'], ['created', 'zoned', 'micro']],
    ['mariadb', ['milli', 'plain'], ['created', 'micro']],
  ] as const)('of TypeORM on %s', async (type, fine, cut) => {
    const entity = new EntitySchema<object>({
      name: 'Task',
      columns: {
        id: { type: 'integer', primary: true },
        created: { type: type === 'postgres' ? 'timestamp' : 'datetime', createDate: true },
        milli: { type: 'timestamp', precision: 3 },
        micro: { type: 'timestamp', precision: 6 },
        ...(type === 'postgres'
          ? { zoned: { type: 'timestamptz' } }
          : { plain: { type: 'datetime' } }),
      },
    });
    const source = new DataSource({ type, database: 'x', entities: [entity] });
    await (source as unknown as { buildMetadatas(): Promise<void> }).buildMetadatas();
    const adapter = typeOrmAdapter(source.getRepository('Task'));
    const config = { filterable: [], sortable: [...fine, ...cut] };
    expectKeys(fine, cut, (field) => adapter.buildKeyset(inOrderOf(field), config, options));
  });

  it('of MikroORM', async () => {
    const entity = new MikroSchema<object>({
      name: 'Task',
      properties: {
        id: { type: 'integer', primary: true },
        seconds: { type: 'datetime', length: 0 },
        milli: { type: 'datetime', length: 3 },
        micro: { type: 'datetime', length: 6 },
        zoned: { type: 'Date', columnType: 'timestamptz' },
        plain: { type: 'Date', columnType: 'timestamp' },
      },
    });
    const orm = await MikroORM.init({
      driver: PostgreSqlDriver,
      dbName: 'x',
      entities: [entity],
      connect: false,
    });
    const adapter = mikroOrmAdapter(orm.em.fork().getRepository<object>('Task'));
    const [fine, cut] = [
      ['seconds', 'milli'],
      ['micro', 'zoned', 'plain'],
    ] as const;
    const config = { sortable: [...fine, ...cut] };
    expectKeys(fine, cut, (field) => adapter.buildKeyset(inOrderOf(field), config, options));
    await orm.close();
  });
});
