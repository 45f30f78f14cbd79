import {
  AliasNode,
  ColumnNode,
  DefaultInsertValueNode,
  FromNode,
  IdentifierNode,
  type InsertQueryNode,
  type OnConflictNode,
  type OperationNode,
  PrimitiveValueListNode,
  SelectionNode,
  SelectQueryNode,
  type TableNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';
import { checkTenantValue } from '../guarded-tenant.js';
import { TenantUnguardedError } from '../../tenant.errors.js';
import { checkUpdates, checkValueNode, createCondition, whereAnd } from './tenant-condition.js';

export interface GuardedInsert {
  readonly reference: TableNode;
  readonly column: string;
  readonly tenantId: string;
  /** Column of the tenant, such as `note.tenant_id`. */
  readonly place: string;
}

/** Rows that already contain a tenant are checked. */
export function guardedInsert(node: InsertQueryNode, insert: GuardedInsert): InsertQueryNode {
  const { column, tenantId, place } = insert;
  refuseReplacing(node, place);
  const onConflict = node.onConflict && guardedConflict(node.onConflict, insert);
  const changed = onConflict ? { ...node, onConflict } : node;

  if (node.defaultValues) {
    const values = ValuesNode.create([PrimitiveValueListNode.create([tenantId])]);
    return { ...changed, defaultValues: false, columns: [ColumnNode.create(column)], values };
  }
  const { columns, values } = node;
  if (!columns || !values) {
    throw new TenantUnguardedError(
      `An insert into "${place.split('.').slice(0, -1).join('.')}" without columns`,
      'the plugin cannot add the tenant',
      'List the columns of the insert',
    );
  }
  const at = columns.findIndex((one) => one.column.name.toLowerCase() === column.toLowerCase());
  const all = at < 0 ? [...columns, ColumnNode.create(column)] : columns;
  return { ...changed, columns: all, values: ownValues(values, at, columns, insert) };
}

/** @param at the index of the tenant. If -1, the tenant is added at the end */
function ownValues(
  values: OperationNode,
  at: number,
  columns: readonly ColumnNode[],
  { tenantId, place }: GuardedInsert,
): OperationNode {
  if (ValuesNode.is(values)) {
    return ValuesNode.create(
      values.values.map((row) => {
        if (PrimitiveValueListNode.is(row)) {
          if (at < 0) return PrimitiveValueListNode.create([...row.values, tenantId]);
          checkTenantValue(row.values[at], tenantId, place);
          return row;
        }
        if (at < 0) return ValueListNode.create([...row.values, ValueNode.create(tenantId)]);
        // Rows of one statement may have different columns. Kysely writes DEFAULT for missing
        // columns.
        return ValueListNode.create(
          row.values.map((value, i) => {
            if (i !== at) return value;
            if (DefaultInsertValueNode.is(value)) return ValueNode.create(tenantId);
            checkValueNode(value, tenantId, place);
            return value;
          }),
        );
      }),
    );
  }
  if (at >= 0) checkValueNode(values, tenantId, place);
  return withTenant(values, columns, tenantId);
}

/** Returns `select fledge_rows.*, $1 from (<the query>) as fledge_rows`. */
function withTenant(
  query: OperationNode,
  columns: readonly ColumnNode[],
  tenantId: string,
): OperationNode {
  if (!SelectQueryNode.is(query)) {
    throw new TenantUnguardedError(
      `An insert of the columns ${columns.map((one) => one.column.name).join(', ')} from raw SQL`,
      'the plugin cannot add the tenant',
      'Write the SELECT with the query builder',
    );
  }
  const tenant = AliasNode.create(
    ValueNode.create(tenantId),
    IdentifierNode.create('fledge_tenant'),
  );
  const rows: SelectQueryNode = {
    kind: 'SelectQueryNode',
    from: FromNode.create([AliasNode.create(query, IdentifierNode.create('fledge_rows'))]),
    selections: [SelectionNode.createSelectAll(), SelectionNode.create(tenant)],
  };
  return rows;
}

/** If the key does not contain the tenant, the existing row may belong to another tenant. */
function guardedConflict(
  node: OnConflictNode,
  { column, tenantId, place, reference }: GuardedInsert,
): OnConflictNode {
  if (node.updates === undefined) return node;
  checkUpdates(node.updates, column, tenantId, place);
  const updateWhere = whereAnd(node.updateWhere, [createCondition(reference, column, tenantId)]);
  return updateWhere ? { ...node, updateWhere } : node;
}

/**
 * @throws TenantUnguardedError if the statement overwrites existing rows. These rows may belong to
 * another tenant
 */
function refuseReplacing(node: InsertQueryNode, place: string): void {
  const call = node.onDuplicateKey
    ? 'ON DUPLICATE KEY UPDATE'
    : node.replace || node.orAction?.action === 'replace'
      ? 'REPLACE'
      : undefined;
  if (call === undefined) return;
  throw new TenantUnguardedError(
    `${call} on the table of \`${place}\``,
    'the statement overwrites the row with the same key, and this row may belong to another tenant',
    'Read the row first, then insert or update it',
  );
}
