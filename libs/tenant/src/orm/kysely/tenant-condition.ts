import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  FromNode,
  IdentifierNode,
  JoinNode,
  OnNode,
  type OperationNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  ValueNode,
  WhereNode,
} from 'kysely';
import { checkTenantValue } from '../guarded-tenant.js';
import { TenantUnguardedError } from '../../tenant.errors.js';

export interface NamedTable {
  readonly table: TableNode;
  /** The name of the table in conditions. It is the alias, if there is one. */
  readonly reference: TableNode;
}

/** Returns undefined for subqueries and raw SQL. */
export function findNamedTable(node: OperationNode): NamedTable | undefined {
  if (TableNode.is(node)) return { table: node, reference: node };
  if (!AliasNode.is(node) || !TableNode.is(node.node)) return undefined;
  const { alias } = node;
  if (!IdentifierNode.is(alias)) return undefined;
  return { table: node.node, reference: TableNode.create(alias.name) };
}

/** Creates a condition such as `note.tenant_id = $1`. */
export function createCondition(
  reference: TableNode,
  column: string,
  tenantId: string,
): OperationNode {
  return BinaryOperationNode.create(
    ReferenceNode.create(ColumnNode.create(column), reference),
    OperatorNode.create('='),
    ValueNode.create(tenantId),
  );
}

/** In parentheses, because the caller's raw SQL may contain OR. */
export function whereAnd(
  where: WhereNode | undefined,
  conditions: readonly OperationNode[],
): WhereNode | undefined {
  if (conditions.length === 0) return where;
  const [first, ...rest] = where ? [ParensNode.create(where.where), ...conditions] : conditions;
  return first && WhereNode.create(rest.reduce((all, next) => AndNode.create(all, next), first));
}

export function joinAnd(join: JoinNode, condition: OperationNode): JoinNode {
  const on = join.on ? AndNode.create(ParensNode.create(join.on.on), condition) : condition;
  return { ...join, on: OnNode.create(on) };
}

/** Creates a subquery such as `(select * from note where note.tenant_id = $1) as note`. */
export function derived({ table, reference }: NamedTable, condition: OperationNode): AliasNode {
  const rows: SelectQueryNode = {
    kind: 'SelectQueryNode',
    from: FromNode.create([reference === table ? table : aliased(table, reference)]),
    selections: [SelectionNode.createSelectAll()],
    where: WhereNode.create(condition),
  };
  return aliased(rows, reference);
}

function aliased(node: OperationNode, { table }: TableNode): AliasNode {
  return AliasNode.create(node, IdentifierNode.create(table.identifier.name));
}

/** @throws TenantRowMismatchError, TenantUnguardedError */
export function checkUpdates(
  updates: readonly ColumnUpdateNode[] | undefined,
  column: string,
  tenantId: string,
  place: string,
): void {
  for (const { column: updated, value } of updates ?? []) {
    const name = columnNameOf(updated);
    if (name === undefined) {
      throw new TenantUnguardedError(
        `An update of the table of \`${place}\` with raw SQL as a column name`,
        'the raw SQL may be the column with the tenant',
        'Write the column name as a string',
      );
    }
    if (name.toLowerCase() === column.toLowerCase()) checkValueNode(value, tenantId, place);
  }
}

/** @throws TenantRowMismatchError, TenantUnguardedError */
export function checkValueNode(value: OperationNode, tenantId: string, place: string): void {
  if (ValueNode.is(value)) return checkTenantValue(value.value, tenantId, place);
  throw new TenantUnguardedError(
    `An expression for \`${place}\``,
    'the value of the expression is unknown before the query runs',
    'Omit the column, because the plugin sets the tenant',
  );
}

function columnNameOf(node: OperationNode): string | undefined {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : undefined;
}
