// The table `note` through each ORM, on PostgreSQL and on PGlite: the specs run the same on all.
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { drizzle as drizzleOnPglite } from 'drizzle-orm/pglite';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import knex from 'knex';
import PgDialect from 'knex/lib/dialects/postgres/index.js';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { pgliteAsPg } from './pglite-as-pg.mjs';

const note = pgTable('note', {
  id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
  tenantId: text('tenant_id'),
  text: text('text'),
});

async function openDrizzle({ url, pglite }, max, onQuery = () => {}) {
  const pool = url && new pg.Pool({ connectionString: url, max });
  const logger = { logQuery: onQuery };
  const db = pool ? drizzle(pool, { logger }) : drizzleOnPglite(pglite, { logger });
  const all = (on) => on.select({ text: note.text }).from(note).orderBy(note.text);
  return {
    db,
    all,
    texts: async (on) => (await all(on)).map((row) => row.text),
    insert: (on, tenantId, text) => on.insert(note).values({ tenantId, text }),
    move: (on, tenantId) => on.update(note).set({ tenantId }).where(eq(note.text, 'A1')),
    transaction: (run) => db.transaction(run),
    nested: (tx, run) => tx.transaction(run),
    close: () => pool?.end() ?? Promise.resolve(),
  };
}

async function openKnex({ url, pglite }, max, onQuery = () => {}) {
  class OnPglite extends PgDialect {
    _driver() {
      return pgliteAsPg(pglite);
    }
  }
  const db = knex({ client: url ? 'pg' : OnPglite, connection: url ?? {}, pool: { min: 0, max } });
  db.on('query', onQuery);
  const all = (on) => on('note').select('text').orderBy('text');
  return {
    db,
    all,
    texts: async (on) => (await all(on)).map((row) => row.text),
    insert: async (on, tenant_id, text) => on('note').insert({ tenant_id, text }),
    move: async (on, tenant_id) => on('note').where({ text: 'A1' }).update({ tenant_id }),
    transaction: (run) => db.transaction(run),
    nested: (tx, run) => tx.transaction(run),
    close: () => db.destroy(),
  };
}

async function openKysely({ url, pglite }, max) {
  const pool = url ? new pg.Pool({ connectionString: url, max }) : new (pgliteAsPg(pglite).Pool)();
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const all = (on) => on.selectFrom('note').select('text').orderBy('text').execute();
  return {
    db,
    all,
    texts: async (on) => (await all(on)).map((row) => row.text),
    insert: (on, tenant_id, text) => on.insertInto('note').values({ tenant_id, text }).execute(),
    move: (on, tenant_id) =>
      on.updateTable('note').set({ tenant_id }).where('text', '=', 'A1').execute(),
    transaction: (run) => db.transaction().execute(run),
    // Kysely's own nested transactions are steps of a controlled one.
    async nested(tx, run) {
      const savepoint = (await import('kysely')).CompiledQuery.raw;
      await tx.executeQuery(savepoint('savepoint inner_one'));
      try {
        const result = await run(tx);
        await tx.executeQuery(savepoint('release savepoint inner_one'));
        return result;
      } catch (error) {
        await tx.executeQuery(savepoint('rollback to savepoint inner_one'));
        throw error;
      }
    },
    close: () => db.destroy(),
  };
}

async function openTypeorm({ url, pglite }, max) {
  const entity = new EntitySchema({
    name: 'Note',
    tableName: 'note',
    columns: {
      id: { type: 'int', primary: true, generated: 'identity' },
      tenantId: { type: 'text', name: 'tenant_id' },
      text: { type: 'text' },
    },
  });
  const db = new DataSource({
    type: 'postgres',
    entities: [entity],
    ...(url ? { url, extra: { max } } : { driver: pgliteAsPg(pglite) }),
  });
  await db.initialize();
  const all = (on) => on.getRepository(entity).find({ order: { text: 'ASC' } });
  return {
    db,
    all,
    texts: async (on) => (await all(on)).map((row) => row.text),
    insert: (on, tenantId, text) => on.getRepository(entity).insert({ tenantId, text }),
    move: (on, tenantId) => on.getRepository(entity).update({ text: 'A1' }, { tenantId }),
    transaction: (run) => db.transaction(run),
    nested: (tx, run) => tx.transaction(run),
    close: () => db.destroy(),
  };
}

export const openOrm = {
  drizzle: openDrizzle,
  knex: openKnex,
  kysely: openKysely,
  typeorm: openTypeorm,
};
