// Filters, sort keys and searches through relations: the same rows on each engine as in memory, and in memory those of
// the law, evaluated here by SQL's three-valued logic.
import { describe, expect, it } from '@jest/globals';
import { parseQuery, splitList } from '@fledge/query';
import { knexAdapter, type KnexQueryConfig } from '@fledge/query/knex';
import { kyselyAdapter, type KyselyQueryConfig } from '@fledge/query/kysely';
import { memoryAdapter } from '@fledge/query/memory';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import createKnex from 'knex';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import { createPool } from 'mysql2';
import pg from 'pg';
import type { AnyParsedQuery } from '../src/parse/parsed-query.js';
import { pageOf } from './support/cursors.js';
import { type AnyNode, describeRelations, OPTIONS, relatedTrees } from './support/related.js';
import { RELATED_CONFIG, RELATED_TASKS, type Row } from './support/related-rows.js';
import { isInTier } from '../../../test/support/engines.js';
import { openRelated, type RelatedPlace } from './support/related-tables.js';

/** The joins of RELATED_CONFIG. */
function joined({ named }: RelatedPlace) {
  const tasks = named('tasks');
  const tags = named('task_tags');
  return {
    ...RELATED_CONFIG,
    relations: {
      owner: { table: named('people'), on: { id: `${tasks}.owner_id` } },
      'owner.team': { table: named('teams'), on: { id: 'owner.team_id' } },
      'owner.skills': { many: true, table: named('skills'), on: { person_id: 'owner.id' } },
      tags: {
        many: true,
        table: named('tags'),
        on: { id: `${tags}.tag_id` },
        through: { table: tags, on: { task_id: `${tasks}.id` } },
      },
      comments: { many: true, table: named('comments'), on: { task_id: `${tasks}.id` } },
      'comments.author': { table: named('people'), on: { id: 'comments.author_id' } },
      'comments.author.team': { table: named('teams'), on: { id: 'comments.author.team_id' } },
      'comments.marks': { many: true, table: named('marks'), on: { comment_id: 'comments.id' } },
    },
  } as const satisfies KyselyQueryConfig & KnexQueryConfig;
}

function kyselyDialect({ dialect, url }: RelatedPlace) {
  switch (dialect) {
    case 'postgres':
      return new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
    case 'mariadb':
      return new MysqlDialect({ pool: createPool({ uri: url }) });
    case 'sqlite':
      return new SqliteDialect({ database: new Sqlite(url) });
  }
}

function knexOf({ dialect, url }: RelatedPlace) {
  if (dialect === 'sqlite') {
    return createKnex({
      client: 'better-sqlite3',
      connection: { filename: url },
      useNullAsDefault: true,
    });
  }
  return createKnex({ client: dialect === 'postgres' ? 'pg' : 'mysql2', connection: url });
}

for (const dialect of ['sqlite', 'postgres', 'mariadb'] as const) {
  describeRelations(`Kysely on ${dialect}`, async () => {
    const place = await openRelated(dialect);
    if (!place) return undefined;
    const db = new Kysely<Record<string, Row>>({ dialect: kyselyDialect(place) });
    const config = joined(place);
    const tasks = db.selectFrom(place.named('tasks'));
    return {
      async find(parsed) {
        const query = kyselyAdapter.build(parsed, config);
        const rows = await query.apply(tasks.select('id')).execute();
        const { total } = await query.applyCount(tasks).executeTakeFirstOrThrow();
        return { ids: rows.map(({ id }) => id), total: Number(total) };
      },
      async page(parsed, options) {
        const query = kyselyAdapter.buildKeyset(parsed, config, options);
        const page = query.apply(tasks.select(['id', 'title', 'rank']));
        return pageOf(await page.execute(), query.cursorOf);
      },
      close: () => db.destroy().then(() => place.close()),
    };
  });

  describeRelations(`Knex on ${dialect}`, async () => {
    const place = await openRelated(dialect);
    if (!place) return undefined;
    const db = knexOf(place);
    const config = joined(place);
    const tasks = () => db<Row>(place.named('tasks'));
    return {
      async find(parsed) {
        const query = knexAdapter.build(parsed, config);
        const rows: Row[] = await query.apply(tasks().select('id'));
        const [count] = await query.applyCount(tasks());
        return { ids: rows.map(({ id }) => id), total: Number(count?.total) };
      },
      async page(parsed, options) {
        const query = knexAdapter.buildKeyset(parsed, config, options);
        const rows: Row[] = await query.apply(tasks().select('id', 'title', 'rank'));
        return pageOf(rows, query.cursorOf);
      },
      close: () => db.destroy().then(() => place.close()),
    };
  });
}

/** True, false, or null for unknown. */
type Truth = boolean | null;

/** The values at a path; undefined in place of a list if the path has one value at most. */
function valuesAt(row: object, path: string): { values: unknown[]; many: boolean } {
  let rows: unknown[] = [row];
  let many = false;
  for (const name of path.split('.')) {
    const next = rows.flatMap((each) => {
      const value = (each as Record<string, unknown> | null)?.[name];
      if (!Array.isArray(value)) return [value ?? null];
      many = true;
      return value as unknown[];
    });
    // A list starts anew: what has none adds no element.
    rows = next;
    if (['tags', 'comments', 'marks', 'skills'].includes(name)) {
      many = true;
      rows = next.filter((each) => each !== null);
    }
  }
  return { values: rows, many };
}

function leafOf({ operator, value }: Extract<AnyNode, { field: string }>, own: unknown): Truth {
  if (operator === 'isnull') return (own === null) === (value === 'true');
  const isNumber = typeof own === 'number';
  if (own === null) return null;
  const typed = (text: string) => (isNumber ? Number(text) : text) as number;
  const text = typeof own === 'string' ? own.toLowerCase() : '';
  const part = value.toLowerCase();
  const given = own as number;
  const items = splitList(value).map(typed);
  switch (operator) {
    case 'has':
      throw new Error('No column is an array.');
    case 'eq':
      return given === typed(value);
    case 'ieq':
      return text === part;
    case 'neq':
      return given !== typed(value);
    case 'gt':
      return given > typed(value);
    case 'gte':
      return given >= typed(value);
    case 'lt':
      return given < typed(value);
    case 'lte':
      return given <= typed(value);
    case 'between':
      return given >= (items[0] as number) && given <= (items[1] as number);
    case 'in':
      return items.includes(given);
    case 'nin':
      return !items.includes(given);
    case 'contains':
      return text.includes(part);
    case 'starts':
      return text.startsWith(part);
    case 'ends':
      return text.endsWith(part);
  }
}

function truthOf(node: AnyNode, row: object): Truth {
  if ('not' in node) {
    const truth = truthOf(node.not, row);
    return truth === null ? null : !truth;
  }
  if ('field' in node) {
    const path = node.field === 'label' ? 'tags.name' : node.field;
    const { values, many } = valuesAt(row, path);
    if (!many) return leafOf(node, values[0]);
    return values.some((value) => leafOf(node, value) === true);
  }
  const truths = ('or' in node ? node.or : node.and).map((member) => truthOf(member, row));
  const decisive = 'or' in node;
  if (truths.includes(decisive)) return decisive;
  return truths.includes(null) ? null : !decisive;
}

describe('rows in memory', () => {
  it('follow the law of relations', () => {
    fc.assert(
      fc.property(relatedTrees, (where) => {
        const parsed: AnyParsedQuery = {
          ...parseQuery({ limit: '100' }, RELATED_CONFIG, OPTIONS),
          where,
        };
        const { data } = memoryAdapter.build(parsed, RELATED_CONFIG).apply(RELATED_TASKS);
        const lawful = RELATED_TASKS.filter((row) => truthOf(where, row) === true);
        expect(data.map(({ id }) => id)).toEqual(lawful.map(({ id }) => id));
      }),
      { numRuns: 600 },
    );
  });
});

// PostgreSQL cuts names after 63 bytes, so the two tables of one relation would have one alias.
const itOnPostgres = isInTier('PostgreSQL') ? it : () => undefined;
itOnPostgres('tells related tables apart however long the path is', async () => {
  const place = await openRelated('postgres');
  const db = knexOf(place);
  const { tags } = joined(place).relations;
  const idsBy = async (relation: string) => {
    const config = {
      columns: { [`${relation}.name`]: 'string' },
      relations: { [relation]: tags },
      sortable: {},
    } as const satisfies KnexQueryConfig;
    const parsed = parseQuery({ filter: `${relation}.name:neq:none`, limit: '100' }, config);
    const query = knexAdapter.build(parsed, config);
    const rows: Row[] = await query.apply(db<Row>(place.named('tasks')).select('id'));
    return rows.map(({ id }) => id).sort();
  };
  const ids = await idsBy('tags');
  expect(ids.length).toBeGreaterThan(0);
  expect(ids.length).toBeLessThan(RELATED_TASKS.length);
  expect(await idsBy(`tags_${'é'.repeat(40)}`)).toEqual(ids);
  await db.destroy();
  await place.close();
});
