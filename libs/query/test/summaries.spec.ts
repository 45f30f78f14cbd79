import { drizzleAdapter, type DrizzleQueryConfig } from '@fledge/query/drizzle';
import { knexAdapter } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { typeOrmAdapter } from '@fledge/query/typeorm';
import { mikroOrmAdapter } from '@fledge/query/mikro-orm';
import { mongooseAdapter } from '@fledge/query/mongoose';
import type { SqlEntityManager } from '@mikro-orm/better-sqlite';
import { EntitySchema, MikroORM, type Options } from '@mikro-orm/core';
import { PostgreSqlDriver } from '@mikro-orm/postgresql';
import Sqlite from 'better-sqlite3';
import { aggregate } from 'mingo';
import mongoose from 'mongoose';
import { and, gt, isNull, or } from 'drizzle-orm';
import knex from 'knex';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import { DataSource, type DataSourceOptions, EntitySchema as TypeOrmSchema } from 'typeorm';
import { SqliteDriver } from './support/mikro-sqlite.js';
import { drizzleSummaries } from './support/summary-drizzle.js';
import { describeSummaries, OWN, type SummaryEngine } from './support/summaries.js';
import {
  SUMMARY_CONFIG,
  SUMMARY_LISTS,
  SUMMARY_TASKS,
  type SummaryRow,
} from './support/summary-rows.js';
import { type Dialect, openSummaries, type SummaryPlace } from './support/summary-tables.js';

const ENGINES = [
  ['SQLite', 'sqlite'],
  ['PostgreSQL', 'postgres'],
  ['MariaDB', 'mariadb'],
] as const;

/** The config with the joins of the relations. */
function joinedConfig({ named }: SummaryPlace) {
  return {
    ...SUMMARY_CONFIG,
    relations: {
      owner: { table: named('owners'), on: { id: `${named('tasks')}.owner_id` } },
      'owner.team': { table: named('teams'), on: { id: 'owner.team_id' } },
    },
  };
}

async function knexEngine(dialect: Dialect): Promise<SummaryEngine> {
  // Knex sends a Date to SQLite as milliseconds.
  const place = await openSummaries(dialect, 'milliseconds');
  const config = joinedConfig(place);
  const db = knex(
    {
      sqlite: {
        client: 'better-sqlite3',
        connection: { filename: place.url },
        useNullAsDefault: true,
      },
      postgres: { client: 'pg', connection: place.url },
      mariadb: { client: 'mysql2', connection: { uri: place.url, timezone: 'Z' } as object },
    }[dialect],
  );
  return {
    summarize(parsed, own) {
      const rows = db(place.named('tasks'));
      if (own) void rows.whereRaw(`(${OWN.sql})`);
      return knexAdapter.summarize(parsed, config, rows);
    },
    close: () => db.destroy().then(() => place.close()),
  };
}

async function kyselyEngine(dialect: Dialect): Promise<SummaryEngine> {
  const place = await openSummaries(dialect);
  const db = new Kysely<Record<string, SummaryRow>>({
    dialect:
      dialect === 'sqlite'
        ? new SqliteDialect({ database: new Sqlite(place.url) })
        : dialect === 'postgres'
          ? new PostgresDialect({ pool: new pg.Pool({ connectionString: place.url }) })
          : new MysqlDialect({ pool: createPool({ uri: place.url, timezone: 'Z' }) }),
  });
  const config: KyselyQueryConfig = {
    ...joinedConfig(place),
    ...(dialect === 'sqlite' && {
      encode: (value) => {
        if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');
        return typeof value === 'boolean' ? Number(value) : value;
      },
    }),
  };
  return {
    summarize(parsed, own) {
      const rows = db.selectFrom(place.named('tasks'));
      const mine = rows.where((eb) => eb.or([eb('votes', '>', 2), eb('votes', 'is', null)]));
      return kyselyAdapter.summarize(parsed, config, own ? mine : rows);
    },
    close: () => db.destroy().then(() => place.close()),
  };
}

async function drizzleEngine(dialect: Dialect): Promise<SummaryEngine> {
  const place = await openSummaries(dialect, 'milliseconds');
  const { tables, rows, close } = drizzleSummaries(place);
  const { tasks, owners, teams } = tables;
  const config: DrizzleQueryConfig = {
    columns: {
      id: tasks.id,
      status: { column: tasks.status, type: 'enum', values: ['open', 'done', 'held'] },
      label: tasks.label,
      votes: tasks.votes,
      amount: tasks.amount,
      hours: tasks.hours,
      serial: { column: tasks.serial, type: 'bigint' },
      done: tasks.done,
      due: { column: tasks.due, type: 'date' },
      created: tasks.created,
      uid: { column: tasks.uid, type: 'uuid' },
      'owner.name': owners.name,
      'owner.score': owners.score,
      'owner.team.name': teams.name,
    },
    sortable: { id: tasks.id },
    searchColumns: [tasks.label],
    relations: {
      owner: { table: owners, on: { id: tasks.ownerId } },
      'owner.team': { table: teams, on: { id: owners.teamId } },
    },
    ...SUMMARY_LISTS,
  };
  return {
    summarize: (parsed, own) =>
      drizzleAdapter.summarize(parsed, config, (select, where) =>
        rows(select, own ? and(where, or(gt(tasks.votes, 2), isNull(tasks.votes))) : where),
      ),
    close: () => close().then(() => place.close()),
  };
}

async function typeOrmEngine(dialect: Dialect): Promise<SummaryEngine> {
  const place = await openSummaries(dialect);
  const uuid = dialect === 'postgres' ? 'uuid' : 'varchar';
  const tasks = new TypeOrmSchema<SummaryRow & { owner: object }>({
    name: 'Task',
    tableName: place.named('tasks'),
    // A default order, which an aggregate must ignore.
    orderBy: { id: 'ASC' },
    columns: {
      id: { type: Number, primary: true },
      status: { type: 'simple-enum', enum: ['open', 'done', 'held'], nullable: true },
      label: { type: String, nullable: true },
      votes: { type: 'int', nullable: true },
      amount: { type: 'decimal', precision: 10, scale: 2, nullable: true },
      hours: { type: dialect === 'postgres' ? 'float8' : 'double', nullable: true },
      serial: { type: 'bigint' },
      done: { type: Boolean, nullable: true },
      due: { type: 'date', nullable: true },
      created: {
        type: dialect === 'postgres' ? 'timestamptz' : 'datetime',
        precision: dialect === 'sqlite' ? null : 3,
        nullable: true,
      },
      uid: { type: uuid },
    } as never,
    relations: {
      owner: {
        type: 'many-to-one',
        target: 'Owner',
        joinColumn: { name: 'owner_id' },
        nullable: true,
      },
    } as never,
  });
  const owners = new TypeOrmSchema<{ id: number }>({
    name: 'Owner',
    tableName: place.named('owners'),
    columns: {
      id: { type: Number, primary: true },
      name: { type: String, nullable: true },
      score: { type: 'int', nullable: true },
    } as never,
    relations: {
      team: {
        type: 'many-to-one',
        target: 'Team',
        joinColumn: { name: 'team_id' },
        nullable: true,
      },
    } as never,
  });
  const teams = new TypeOrmSchema<{ id: number }>({
    name: 'Team',
    tableName: place.named('teams'),
    columns: {
      id: { type: Number, primary: true },
      name: { type: String, nullable: true },
    } as never,
  });
  const entities = [tasks, owners, teams];
  const options: DataSourceOptions =
    dialect === 'sqlite'
      ? { type: 'better-sqlite3', database: place.url, entities }
      : dialect === 'postgres'
        ? { type: 'postgres', url: place.url, entities }
        : { type: 'mariadb', url: place.url, timezone: 'Z', entities };
  const source = await new DataSource(options).initialize();
  const repository = source.getRepository(tasks);
  const adapter = typeOrmAdapter(repository);
  const paths = Object.keys(SUMMARY_CONFIG.columns);
  const columns = Object.fromEntries(paths.map((path) => [path, path]));
  const config = {
    columns: { ...columns, uid: { name: 'uid', type: 'uuid' as const } },
    searchColumns: ['label'],
    ...SUMMARY_LISTS,
  };
  return {
    summarize(parsed, own) {
      const rows = repository.createQueryBuilder('task');
      if (own) rows.where('task.votes > :least', { least: 2 }).orWhere('task.votes is null');
      return adapter.summarize(parsed, config, rows);
    },
    close: () => source.destroy().then(() => place.close()),
  };
}

async function mikroOrmEngine(dialect: 'sqlite' | 'postgres'): Promise<SummaryEngine> {
  const place = await openSummaries(dialect, 'milliseconds');
  const text = { type: 'text', nullable: true };
  const number = { type: 'integer', nullable: true };
  const teams: EntitySchema = new EntitySchema({
    name: 'Team',
    tableName: place.named('teams'),
    properties: { id: { type: 'integer', primary: true }, name: text } as never,
  });
  const owners: EntitySchema = new EntitySchema({
    name: 'Owner',
    tableName: place.named('owners'),
    properties: {
      id: { type: 'integer', primary: true },
      name: text,
      score: number,
      team: { kind: 'm:1', entity: () => teams, fieldName: 'team_id', nullable: true },
    } as never,
  });
  const tasks = new EntitySchema<SummaryRow>({
    name: 'Task',
    tableName: place.named('tasks'),
    properties: {
      id: { type: 'integer', primary: true },
      status: { type: 'string', enum: true, items: ['open', 'done', 'held'], nullable: true },
      label: text,
      votes: number,
      amount: { type: 'decimal', nullable: true },
      hours: { type: 'double', nullable: true },
      serial: { type: 'bigint' },
      done: { type: 'boolean', nullable: true },
      due: { type: 'date', nullable: true },
      created: { type: 'datetime', length: 3, nullable: true },
      uid: { type: 'uuid' },
      owner: { kind: 'm:1', entity: () => owners, fieldName: 'owner_id', nullable: true },
    } as never,
  });
  const entities = [tasks, owners, teams];
  const options: Options =
    dialect === 'sqlite'
      ? { driver: SqliteDriver, dbName: place.url }
      : { driver: PostgreSqlDriver, clientUrl: place.url };
  const orm: MikroORM = await MikroORM.init({ ...options, entities });
  const paths = Object.keys(SUMMARY_CONFIG.columns);
  const config = { filterable: paths, searchable: ['label'], ...SUMMARY_LISTS };
  return {
    summarize(parsed, own) {
      const em = orm.em.fork();
      const rows = (em as SqlEntityManager).createQueryBuilder('Task');
      if (own) rows.where({ $or: [{ votes: { $gt: 2 } }, { votes: null }] });
      return mikroOrmAdapter(em.getRepository<SummaryRow>('Task')).summarize(parsed, config, rows);
    },
    close: () => orm.close().then(() => place.close()),
  };
}

for (const [name, dialect] of ENGINES) {
  if (dialect !== 'mariadb')
    describeSummaries(`MikroORM on ${name}`, () => mikroOrmEngine(dialect));
  describeSummaries(`Knex on ${name}`, () => knexEngine(dialect));
  describeSummaries(`Kysely on ${name}`, () => kyselyEngine(dialect));
  describeSummaries(`Drizzle on ${name}`, () => drizzleEngine(dialect));
  describeSummaries(`TypeORM on ${name}`, () => typeOrmEngine(dialect));
}

// mingo evaluates the pipelines: there is no MongoDB server. It has no Decimal128, by which the adapter adds.
describeSummaries('Mongoose by mingo', () => Promise.resolve(mongooseEngine()), {
  without: (list, field) => list === 'aggregatable' && ['serial', 'amount'].includes(field),
});

// mingo hashes values as JSON, which has no bigint.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value(this: bigint) {
    return `${this}n`;
  },
});

function mongooseEngine(): SummaryEngine {
  const { Int32 } = mongoose.Schema.Types;
  const schema = new mongoose.Schema({
    _id: Int32,
    status: { type: String, enum: ['open', 'done', 'held'] },
    label: String,
    votes: Int32,
    amount: Number,
    hours: Number,
    serial: { type: BigInt, required: true },
    done: Boolean,
    due: String,
    created: Date,
    uid: { type: String, required: true },
    owner: { name: String, score: Int32, team: { name: String } },
  });
  const model = mongoose.model('SummaryTask', schema);
  const documents = SUMMARY_TASKS.map(({ id, owner_id: _, owner, ...row }, i) => {
    const present = Object.entries(row).filter(([, value]) => value !== null || i % 2 === 0);
    const document: Record<string, unknown> = { _id: id, ...Object.fromEntries(present), owner };
    if (typeof document['amount'] === 'string') document['amount'] = Number(document['amount']);
    return document;
  });
  const paths = Object.keys(SUMMARY_CONFIG.columns).map((path) => [path, path]);
  const config = {
    columns: {
      ...(Object.fromEntries(paths) as Record<string, string>),
      id: '_id',
      amount: { name: 'amount', type: 'decimal' as const },
      due: { name: 'due', type: 'date' as const },
      uid: { name: 'uid', type: 'uuid' as const },
    },
    searchColumns: ['label'],
    ...SUMMARY_LISTS,
  };
  const adapter = mongooseAdapter(model);
  const run = (pipeline: unknown) =>
    Promise.resolve(aggregate(documents, pipeline as never) as object[]);
  return {
    summarize: (parsed, own) =>
      adapter.summarize(parsed, config, (pipeline) =>
        run(
          own
            ? [{ $match: { $or: [{ votes: { $gt: 2 } }, { votes: null }] } }, ...pipeline]
            : pipeline,
        ),
      ),
    close: () => Promise.resolve(),
  };
}
