import { type OperationNode, RawNode, type SelectModifierNode } from 'kysely';
import { TenantUnguardedError } from '../../tenant.errors.js';

/** A statement that changes rows. Kysely writes it into raw SQL without parentheses. */
const CHANGES = '\u0001';
const CHANGING = /^(Insert|Update|Delete|Merge)QueryNode$/;

/** Includes nested raw SQL. Values, names and queries become `?` or `CHANGES`. */
export function renderRaw(node: OperationNode): string {
  if (!RawNode.is(node)) return CHANGING.test(node.kind) ? CHANGES : '?';
  const { sqlFragments, parameters } = node;
  return sqlFragments
    .map((text, i) => (i === 0 ? text : renderRaw(parameters[i - 1] as OperationNode) + text))
    .join('');
}

/** SQL after a statement that changes rows could extend the condition: `or 1 = 1`. */
export const extendsChange = (sql: string): boolean =>
  new RegExp(`${CHANGES}\\s*[^\\s)]`).test(sql);

/** SQL that is allowed after a condition, by kind of query. Such SQL cannot add rows. */
const BEHIND: Readonly<Record<string, RegExp>> = {
  SelectQueryNode: /^\s*(for|lock|limit|offset|fetch|order\s+by|option)\b/i,
  UpdateQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
  DeleteQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
};

/** Returns true if SQL at the end of this kind of query cannot add rows of other tenants. */
export function keepsRows(kind: string, sql: string): boolean {
  return (BEHIND[kind] ?? /^\s*returning\b/i).test(sql) || sql.trim() === '';
}

/** @throws TenantUnguardedError if SQL after a query could extend the condition */
export function checkEnd(kind: string, modifier: OperationNode): void {
  const { rawModifier, modifier: known } = modifier as SelectModifierNode;
  if (known !== undefined) return;
  const sql = renderRaw(rawModifier ?? modifier);
  if (keepsRows(kind, sql)) return;
  throw new TenantUnguardedError(
    `modifyEnd() with the SQL "${sql.trim()}"`,
    'the SQL could extend the condition that filters by tenant',
    'Use the query builder. The SQL may only start with FOR, LIMIT, ORDER BY or RETURNING',
  );
}
