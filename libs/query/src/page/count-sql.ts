import {
  type CappedTotal,
  countOf,
  type EstimatedTotal,
  type Total,
} from './paginated-response.js';
import { InvalidQueryConfigError } from '../query.errors.js';

/** The functions of an ORM that count the rows of a query. */
export interface RowCounter {
  /** Counts the rows. With a limit, counting stops at the limit. */
  readonly count: (limit?: number) => PromiseLike<Total>;
  /** Returns the estimate of the query planner. Missing on engines without estimates. */
  readonly estimate?: (() => Promise<number>) | undefined;
}

/**
 * Counts up to `cap` rows, and returns whether there are more.
 * @throws InvalidQueryConfigError
 */
export async function countUpTo(counter: RowCounter, cap: number): Promise<CappedTotal> {
  checkRows('The cap of cappedCount()', cap);
  return { kind: 'capped', cap, counted: await counter.count(cap + 1) };
}

/**
 * Counts up to `threshold` rows. If there are more, returns the planner's estimate, which reads no
 * rows.
 * @throws InvalidQueryConfigError
 */
export async function countOrEstimate(
  { count, estimate }: RowCounter,
  threshold: number,
): Promise<EstimatedTotal> {
  checkRows('The threshold of estimatedCount()', threshold);
  if (estimate === undefined) return { kind: 'estimated', total: await count(), isExact: true };
  const counted = countOf(await count(threshold + 1));
  if (counted <= threshold) return { kind: 'estimated', total: counted, isExact: true };
  return { kind: 'estimated', total: Math.max(counted, Math.round(await estimate())) };
}

function checkRows(place: string, rows: number): void {
  if (Number.isSafeInteger(rows) && rows >= 1 && rows < MAX_INT32) return;
  throw new InvalidQueryConfigError(
    `${place} is ${String(rows)}.`,
    `Pass a whole number from 1 to ${MAX_INT32 - 1}.`,
  );
}

const MAX_INT32 = 2_147_483_647;

/** The engines whose planners give estimates. */
export type EstimatingEngine = 'postgres' | 'mysql';

/** Runs the query with a prefix such as `explain`, and returns the rows of the plan. */
export type Explain = (prefix: string) => Promise<readonly unknown[]>;

/** Returns a function that reads the planner's estimate of the rows of a query. */
export function estimateBy(engine: EstimatingEngine, explain: Explain): () => Promise<number> {
  return engine === 'postgres' ? () => planRows(explain) : () => joinedRows(explain);
}

async function planRows(explain: Explain): Promise<number> {
  const [row] = await explain('explain (format json) ');
  const [plan] = Object.values(row as object) as unknown[];
  // Some drivers parse JSON, others return a string.
  const [root] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as PlanOfPostgres[];
  return root?.Plan['Plan Rows'] ?? 0;
}

interface PlanOfPostgres {
  readonly Plan: { readonly 'Plan Rows': number };
}

/**
 * In MySQL and MariaDB, each row of the plan describes a table. The estimate is the product of the
 * estimates for the tables of the outer query.
 */
async function joinedRows(explain: Explain): Promise<number> {
  const plan = (await explain('explain ')) as PlanRowOfMysql[];
  // MariaDB returns the share of rows that match the conditions only with `extended`, which MySQL 8
  // does not support.
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

/** Returns the rows in a driver's result of raw SQL: `{ rows }`, `[rows, fields]`, or the rows. */
export function rowsOfDriver(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return (result as { readonly rows: readonly unknown[] }).rows;
  const [first] = result as unknown[];
  return Array.isArray(first) ? first : result;
}
