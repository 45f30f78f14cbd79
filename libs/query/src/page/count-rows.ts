import { inspect } from 'node:util';
import {
  type CappedTotal,
  countOf,
  type EstimatedTotal,
  type Total,
} from './paginated-response.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { SqlEngine } from '../shared-sql/sql-writer.js';

export interface RowCounter {
  /** Counts the rows. Stops at the limit, if there is one. */
  readonly count: (limit?: number) => PromiseLike<Total>;
  /** Returns the estimate of the query planner. Missing if the engine has no estimates. */
  readonly estimate?: (() => Promise<number>) | undefined;
}

/** Stops counting after `cap + 1` rows. @throws InvalidQueryConfigError */
export async function countUpTo(counter: RowCounter, cap: number): Promise<CappedTotal> {
  checkRows('`cap` of cappedCount()', cap);
  return { kind: 'capped', cap, counted: await counter.count(cap + 1) };
}

/**
 * Counts the rows exactly if there are at most `threshold`. Otherwise, returns the planner's
 * estimate without reading rows.
 * @throws InvalidQueryConfigError
 */
export async function countOrEstimate(
  { count, estimate }: RowCounter,
  threshold: number,
): Promise<EstimatedTotal> {
  checkRows('`threshold` of estimatedCount()', threshold);
  if (estimate === undefined) return { kind: 'estimated', total: await count(), isExact: true };
  const counted = countOf(await count(threshold + 1));
  if (counted <= threshold) return { kind: 'estimated', total: counted, isExact: true };
  return { kind: 'estimated', total: Math.max(counted, Math.round(await estimate())) };
}

function checkRows(place: string, rows: number): void {
  if (Number.isSafeInteger(rows) && rows >= 1 && rows < MAX_INT32) return;
  throw new InvalidQueryConfigError(
    `${place} is ${inspect(rows, { depth: -1 })}.`,
    `Pass a whole number from 1 to ${MAX_INT32 - 1}.`,
  );
}

const MAX_INT32 = 2_147_483_647;

/** Runs the query with a prefix such as `explain`, and returns the rows of the plan. */
export type Explain = (prefix: string) => Promise<readonly unknown[]>;

/** Returns undefined for SQLite, because its query planner gives no estimates. */
export function estimateBy(engine: SqlEngine, explain: Explain): RowCounter['estimate'] {
  const estimate = { postgresql: planRows, mysql: joinedRows, sqlite: undefined }[engine];
  return estimate && (() => estimate(explain));
}

async function planRows(explain: Explain): Promise<number> {
  const [row] = await explain('explain (format json) ');
  const [plan] = Object.values(row as object) as unknown[];
  // Some drivers parse JSON. Others return a string.
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as PlanOfPostgres[];
  return root?.Plan['Plan Rows'] ?? 0;
}

interface PlanOfPostgres {
  readonly Plan: { readonly 'Plan Rows': number };
}

/**
 * Returns the estimate of MySQL and MariaDB. Each row of the plan describes a table. The estimate
 * is the product of the rows of all tables in the outer query.
 */
async function joinedRows(explain: Explain): Promise<number> {
  const plan = (await explain('explain ')) as PlanRowOfMysql[];
  // MariaDB needs `extended` to return the share of matching rows. MySQL 8 does not support
  // `extended`.
  const known = plan.some(({ filtered }) => filtered !== undefined);
  const tables = known ? plan : ((await explain('explain extended ')) as PlanRowOfMysql[]);
  return tables
    .filter(({ id, rows }) => Number(id) === 1 && rows !== null)
    .reduce((all, { rows, filtered }) => (all * Number(rows) * Number(filtered ?? 100)) / 100, 1);
}

interface PlanRowOfMysql {
  readonly id: unknown;
  readonly rows: unknown;
  readonly filtered?: unknown;
}

/** Drivers return the rows of raw SQL as `{ rows }`, as `[rows, fields]` or as the rows. */
export function rowsOfDriver(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return (result as { readonly rows: readonly unknown[] }).rows;
  const [first] = result as unknown[];
  return Array.isArray(first) ? first : result;
}
