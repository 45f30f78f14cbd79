import { type OperationNode, RawNode, type SelectModifierNode } from 'kysely';
import { TenantUnguardedError } from '../../tenant.errors.js';

/** Stands for a statement that changes rows. Kysely writes it into raw SQL without parentheses. */
const CHANGES = '\u0001';
const CHANGING = /^(Insert|Update|Delete|Merge)QueryNode$/;

/** The text of raw SQL with the raw SQL inside it. A value, name or query is a `?` or `CHANGES`. */
export function renderRaw(node: OperationNode): string {
  if (!RawNode.is(node)) return CHANGING.test(node.kind) ? CHANGES : '?';
  const { sqlFragments, parameters } = node;
  return sqlFragments
    .map((text, i) => (i === 0 ? text : renderRaw(parameters[i - 1] as OperationNode) + text))
    .join('');
}

/** True if text follows a statement that changes rows: the text could extend its condition, as `or 1 = 1` does. */
export const extendsChange = (sql: string): boolean =>
  new RegExp(`${CHANGES}\\s*[^\\s)]`).test(sql);

/** What may stand behind a condition without changing which rows it selects. */
const BEHIND: Readonly<Record<string, RegExp>> = {
  SelectQueryNode: /^\s*(for|lock|limit|offset|fetch|order\s+by|option)\b/i,
  UpdateQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
  DeleteQueryNode: /^\s*(limit|order\s+by|returning)\b/i,
};

/** True if `modifyEnd()` of a query of this kind keeps the rows that the query selects or changes. */
export function keepsRows(kind: string, sql: string): boolean {
  return (BEHIND[kind] ?? /^\s*returning\b/i).test(sql) || sql.trim() === '';
}

/** @throws TenantUnguardedError for text behind a query that could extend its condition */
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
