import { type OperationNode, RawNode, type SelectModifierNode } from 'kysely';
import { TenantUnguardedError } from '../../tenant.errors.js';

/**
 * Placeholder for a statement that changes rows. Kysely writes such a statement into raw SQL
 * without parentheses.
 */
const CHANGES = '\u0001';
const CHANGING = /^(Insert|Update|Delete|Merge)QueryNode$/;

/**
 * Returns raw SQL, including nested raw SQL, as a string. A value, name or query becomes `?` or
 * `CHANGES`.
 */
export function renderRaw(node: OperationNode): string {
  if (!RawNode.is(node)) return CHANGING.test(node.kind) ? CHANGES : '?';
  const { sqlFragments, parameters } = node;
  return sqlFragments
    .map((text, i) => (i === 0 ? text : renderRaw(parameters[i - 1] as OperationNode) + text))
    .join('');
}

/**
 * Returns true if SQL follows a statement that changes rows, because it could extend the condition,
 * as `or 1 = 1` does.
 */
export const extendsChange = (sql: string): boolean =>
  new RegExp(`${CHANGES}\\s*[^\\s)]`).test(sql);

/** SQL that may follow a condition without changing which rows it selects. */
const BEHIND: Readonly<Record<string, RegExp>> = {
  SelectQueryNode: /^\s*(for|lock|limit|offset|fetch|order\s+by|option)\b/i,
  UpdateQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
  DeleteQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
};

/**
 * Returns true if `modifyEnd()` of this kind of query cannot change which rows are selected or
 * changed.
 */
export function keepsRows(kind: string, sql: string): boolean {
  return (BEHIND[kind] ?? /^\s*returning\b/i).test(sql) || sql.trim() === '';
}

/** @throws TenantUnguardedError for SQL after a query that could extend the condition */
export function checkEnd(kind: string, modifier: OperationNode): void {
  const { rawModifier, modifier: known } = modifier as SelectModifierNode;
  if (known !== undefined) return;
  const sql = renderRaw(rawModifier ?? modifier);
  if (keepsRows(kind, sql)) return;
  throw new TenantUnguardedError(
    `modifyEnd() with ${sql.trim()}`,
    'it could extend the condition on the tenant',
    'Use the methods of the query builder. FOR, LIMIT, ORDER BY and RETURNING are accepted',
  );
}
