// `where` moves `not` to the single conditions. Engines have `not (...)` for a whole group: both must
// select the same rows, NULLs included.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildQueryParams,
  buildQueryString,
  filter,
  type OptInOperator,
  parseQuery,
  splitList,
  type WhereNode,
} from '@fledge/query';
import { memoryAdapter } from '@fledge/query/memory';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { isInTier } from '../../../test/support/engines.js';
import { servers } from './support/decoders.js';
import { openMariadb, openPostgres, openSqlite } from './support/databases.js';
import { ROWS, TASKS } from './support/dataset.js';

type AnyNode = WhereNode<string, OptInOperator>;
type Leaf = Extract<AnyNode, { field: string }>;

const OPTIONS = { where: true, operators: ['nin', 'isnull', 'ieq'] } as const;

const NUMBERS = ['-1', '0', '1.75', '2.25', '4'];
const VALUES: Readonly<Record<string, readonly string[]>> = {
  note: ['note', 'note 5%_!', '%_!', '1', "o'", 'NOTE 1%_!'],
  title: ['Task', 'a', '100% done', '%', 'x'],
  status: ['open', 'done'],
  rating: NUMBERS,
  priority: ['-3', '0', '2'],
  price: ['0', '9.50', '12.25'],
  done: ['true', 'false'],
  due: ['2026-01-01', '2026-05-13', '2026-09-27'],
};
const ORDERED = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'between', 'isnull'];
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  note: [...ORDERED, 'contains', 'starts', 'ends', 'ieq'],
  title: [...ORDERED, 'contains', 'starts', 'ends', 'ieq'],
  status: ['eq', 'neq', 'in', 'nin', 'isnull'],
  done: ['eq', 'neq', 'in', 'nin', 'isnull'],
};

const leaf: fc.Arbitrary<AnyNode> = fc
  .constantFrom(...Object.keys(VALUES))
  .chain((field) =>
    fc.tuple(
      fc.constant(field),
      fc.constantFrom(...(OPERATORS[field] ?? ORDERED)),
      fc.array(fc.constantFrom(...(VALUES[field] as string[])), { minLength: 2, maxLength: 3 }),
    ),
  )
  .map(([field, operator, [first = '', second = '', ...others]]): AnyNode => {
    if (operator === 'isnull') return filter.isnull(field, first < second);
    if (operator === 'between') return filter.between(field, first, second);
    if (operator === 'in' || operator === 'nin')
      return filter[operator](field, [first, second, ...others]);
    return { field, operator: operator as 'eq', value: first };
  });

const trees = fc
  .letrec<{ node: AnyNode }>((tie) => {
    const members = fc.array(tie('node'), { minLength: 2, maxLength: 3 });
    return {
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        members.map((or) => ({ or })),
        members.map((and) => ({ and })),
        tie('node').map((not) => ({ not })),
      ),
    };
  })
  .node.filter(
    (node) => (JSON.stringify(node).match(/"(?:field|or|and|not)":/g) ?? []).length < 50,
  );

/** The SQL of a tree as a person would write it, with the engine's own `not (...)`. */
function sqlOf(node: AnyNode, bool: (value: string) => string): string {
  if ('not' in node) return `not (${sqlOf(node.not, bool)})`;
  if ('field' in node) return leafSql(node, bool);
  const kind = 'or' in node ? 'or' : 'and';
  const members = 'or' in node ? node.or : node.and;
  return `(${members.map((member) => sqlOf(member, bool)).join(` ${kind} `)})`;
}

function leafSql({ field, operator, value }: Leaf, bool: (value: string) => string): string {
  const literal = (text: string): string => {
    if (field === 'done') return bool(text);
    if (['rating', 'priority', 'price'].includes(field)) return text;
    return `'${text.replaceAll("'", "''")}'`;
  };
  const SYMBOLS = { eq: '=', neq: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' };
  switch (operator) {
    case 'isnull':
      return `${field} is ${value === 'true' ? '' : 'not '}null`;
    case 'in':
    case 'nin': {
      const list = splitList(value).map(literal).join(', ');
      return `${field} ${operator === 'in' ? 'in' : 'not in'} (${list})`;
    }
    case 'between':
      return `${field} between ${splitList(value).map(literal).join(' and ')}`;
    case 'contains':
    case 'starts':
    case 'ends':
    case 'ieq': {
      const text = value.replace(/[!%_]/g, '!$&');
      const pattern = { contains: `%${text}%`, starts: `${text}%`, ends: `%${text}`, ieq: text }[
        operator
      ];
      return `lower(${field}) like lower(${literal(pattern)}) escape '!'`;
    }
    case 'has':
      throw new Error('No column is an array.');
    default:
      return `${field} ${SYMBOLS[operator]} ${literal(value)}`;
  }
}

interface Raw {
  idsWhere(sql: string): Promise<number[]>;
  close(): Promise<unknown>;
}

async function sqlite(): Promise<Raw> {
  const { path, table, close } = await openSqlite();
  const database = new Sqlite(path);
  return {
    idsWhere: (sql) => {
      const rows = database.prepare(`select id from ${table} where ${sql} order by id`).all();
      return Promise.resolve(rows.map((row) => (row as { id: number }).id));
    },
    close: () => {
      database.close();
      return close();
    },
  };
}

async function postgres(): Promise<Raw> {
  const { pool, table, close } = await openPostgres();
  return {
    idsWhere: async (sql) => {
      const text = `select id from ${table} where ${sql} order by id`;
      const { rows } = await pool.query<{ id: number }>(text);
      return rows.map(({ id }) => id);
    },
    close,
  };
}

async function mariadb(): Promise<Raw> {
  const { pool, table, close } = await openMariadb();
  return {
    idsWhere: async (sql) => {
      const [rows] = await pool.query(`select id from ${table} where ${sql} order by id`);
      return (rows as { id: number }[]).map(({ id }) => id);
    },
    close,
  };
}

const ENGINES = [
  ['SQLite', sqlite, (text: string) => (text === 'true' ? '1' : '0')],
  ['PostgreSQL', postgres, (text: string) => text],
  ['MariaDB', mariadb, (text: string) => text],
] as const;

describe.each(ENGINES.filter(([name]) => isInTier(name)))('where on %s', (_, open, bool) => {
  let raw: Raw;
  beforeAll(async () => {
    raw = await open();
  });
  afterAll(() => raw.close());

  it('selects the rows of the not (...) of the engine', async () => {
    let negated = 0;
    let some = 0;
    const check = async (where: AnyNode) => {
      const parsed = parseQuery({ ...buildQueryParams({ where }), limit: '100' }, TASKS, OPTIONS);
      const { data } = memoryAdapter.build(parsed, TASKS).apply(ROWS);
      const sql = sqlOf(where, bool);
      if (sql.includes('not (')) negated++;
      if (data.length > 0 && data.length < ROWS.length) some++;
      expect([sql, data.map(({ id }) => id)]).toEqual([sql, await raw.idsWhere(sql)]);
    };
    await fc.assert(fc.asyncProperty(trees, check), { numRuns: 400 });
    await fc.assert(
      fc.asyncProperty(trees, (not) => check({ not })),
      { numRuns: 200 },
    );
    // Most trees must be negated and select some of the rows; otherwise the property was hardly tested.
    expect(Math.min(negated, some)).toBeGreaterThan(150);
  });
});

describe.each(servers)('where over $name', ({ open }) => {
  let decode: (encoded: string) => Promise<unknown>;
  let close: () => Promise<unknown>;
  beforeAll(async () => {
    ({ decode, close } = await open());
  });
  afterAll(() => close());

  const value = fc
    .string({ unit: fc.constantFrom(...'ab(),":\\ []%&+=;é', '😀'), maxLength: 8 })
    .filter((text) => text !== '');
  const hostile = fc.array(
    value.map((text): AnyNode => ({ not: filter.or(filter.eq('a', text), filter.eq('b', 1)) })),
    { minLength: 1, maxLength: 12 },
  );

  it('is read as it was written', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (nodes) => {
        const [only = filter.eq('a', 1), ...others] = nodes;
        const where = others.length > 0 ? { and: nodes } : only;
        const encoded = buildQueryString({ where });
        expect(parseQuery(await decode(encoded), undefined, OPTIONS).where).toEqual(where);
      }),
      { numRuns: 200 },
    );
  });

  it('is read in each form of a list', async () => {
    const text = encodeURIComponent('or(a:eq:1,b:in:"1,2")');
    const node = filter.or(filter.eq('a', 1), filter.in('b', [1, 2]));
    for (const key of ['where', 'where[]', 'where[0]']) {
      const decoded = await decode(`${encodeURIComponent(key)}=${text}`);
      expect(parseQuery(decoded, undefined, OPTIONS).where).toEqual(node);
      expect(parseQuery(decoded)).not.toHaveProperty('where');
    }
    const many = Array.from({ length: 25 }, (_, i) => `where=a:eq:${i}`).join('&');
    const { where } = parseQuery(await decode(many), undefined, OPTIONS);
    expect(where).toEqual({ and: Array.from({ length: 25 }, (_, i) => filter.eq('a', i)) });
  });
});
