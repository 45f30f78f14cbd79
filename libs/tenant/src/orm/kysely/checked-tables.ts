import {
  type AggregateFunctionNode,
  AliasNode,
  type ColumnNode,
  type CommonTableExpressionNameNode,
  type CommonTableExpressionNode,
  type FunctionNode,
  IdentifierNode,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  type RawNode,
  type ReferenceNode,
  type TableNode,
  type WithNode,
} from 'kysely';
import { checkClosed } from '../closed-parentheses.js';
import { TenantUnguardedError } from '../../tenant.errors.js';
import { checkNamed, type ListedTables, nameTable } from './listed-tables.js';
import { checkEnd, extendsChange, renderRaw } from './raw-fragment.js';
import { listSources } from './query-sources.js';

/**
 * Parent nodes of table names. A name with such a parent reads no rows. The name refers to a table
 * in another part of the query, or to a WITH query.
 */
const REFERENCES = new Set<string>([
  'CommonTableExpressionNameNode',
  'ReferenceNode',
  'AggregateFunctionNode',
  'FunctionNode',
  'SelectModifierNode',
]);

/** Parent nodes in which the plugin finds and filters tables of tenants. */
const PLACES = new Set<string>([
  'AliasNode',
  'FromNode',
  'InsertQueryNode',
  'JoinNode',
  'ListNode',
  'MergeQueryNode',
  'UpdateQueryNode',
  'UsingNode',
]);
/**
 * Parent nodes of tables that a statement changes. Here, a name is always a table, even if a WITH
 * query has the same name.
 */
const TARGETS = new Set<string>(['InsertQueryNode', 'UpdateQueryNode', 'MergeQueryNode']);

/** Rejects tables that the plugin cannot filter, and raw SQL that could bypass a filter. */
export class CheckedTables extends OperationNodeTransformer {
  constructor(protected readonly tables: ListedTables) {
    super();
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T, id: QueryId): T {
    const { endModifiers } = node as { readonly endModifiers?: readonly OperationNode[] };
    for (const modifier of endModifiers ?? []) checkEnd(node.kind, modifier);
    return super.transformNodeImpl(node, id);
  }

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    id: QueryId,
  ): CommonTableExpressionNameNode {
    if (this.tables.of(node.table) === 'guarded') {
      throw new TenantUnguardedError(
        `The WITH query "${nameTable(node.table)}"`,
        'a table in `tables` has the same name',
        'Rename the WITH query',
      );
    }
    return super.transformCommonTableExpressionName(node, id);
  }

  protected override transformRaw(node: RawNode, id: QueryId): RawNode {
    const parent = this.nodeStack.at(-2);
    if (parent?.kind !== 'RawNode') this.checkText(renderRaw(node), parent !== undefined);
    return super.transformRaw(node, id);
  }

  protected override transformFunction(node: FunctionNode, id: QueryId): FunctionNode {
    this.checkText(node.func, true);
    return super.transformFunction(node, id);
  }

  protected override transformAggregateFunction(
    node: AggregateFunctionNode,
    id: QueryId,
  ): AggregateFunctionNode {
    this.checkText(node.func, true);
    return super.transformAggregateFunction(node, id);
  }

  /** Checks `sql.id('note')`. All other names have a table or a column as parent. */
  protected override transformIdentifier(node: IdentifierNode, id: QueryId): IdentifierNode {
    if (this.nodeStack.at(-2)?.kind === 'RawNode') checkNamed(node.name, this.tables);
    return super.transformIdentifier(node, id);
  }

  /**
   * Checks `sql.ref('note')`, because in raw SQL this name may be a table. `sql.ref('n.note')` is a
   * column of `n`.
   */
  protected override transformColumn(node: ColumnNode, id: QueryId): ColumnNode {
    const around = this.nodeStack.findLast(
      ({ kind }) => kind === 'RawNode' || kind.endsWith('QueryNode'),
    );
    const qualifier = (this.nodeStack.at(-2) as ReferenceNode | undefined)?.table?.table;
    const isColumn =
      qualifier !== undefined &&
      qualifier.schema === undefined &&
      this.nodeStack.some((query) => listSources(query).includes(qualifier.identifier.name));
    if (around?.kind === 'RawNode' && !isColumn) checkNamed(node.column.name, this.tables);
    return super.transformColumn(node, id);
  }

  protected override transformTable(node: TableNode, id: QueryId): TableNode {
    const parent = this.nodeStack.at(-2);
    if (!REFERENCES.has(parent?.kind ?? '') && !this.isExpression(node)) {
      this.checkTable(node, parent);
    }
    return super.transformTable(node, id);
  }

  private checkTable(node: TableNode, parent: OperationNode | undefined): void {
    const listed = this.tables.of(node);
    if (listed === undefined) {
      throw new TenantUnguardedError(
        `The table "${nameTable(node)}"`,
        'tenantPlugin() does not list this table',
        'Add the table to `tables`, or to `shared` if its rows belong to no tenant',
      );
    }
    const hasPlace =
      parent !== undefined &&
      PLACES.has(parent.kind) &&
      !(AliasNode.is(parent) && !IdentifierNode.is(parent.alias));
    if (listed === 'guarded' && !hasPlace) {
      throw new TenantUnguardedError(
        `sql.table('${nameTable(node)}')`,
        'the plugin cannot filter raw SQL',
        'Use the query builder, or use db.withoutPlugins() and filter by tenant yourself',
      );
    }
  }

  /** @throws TenantUnguardedError */
  private checkText(sql: string, isPart: boolean): void {
    checkNamed(sql, this.tables);
    if (extendsChange(sql)) {
      throw new TenantUnguardedError(
        'Raw SQL after an insert, update or delete of the query builder',
        'the raw SQL could extend the condition that filters by tenant',
        'Put the statement in parentheses, or put the statement at the end of the raw SQL',
      );
    }
    if (isPart) checkClosed(sql);
  }

  /** Returns true if the name belongs to a WITH query that is visible here. */
  private isExpression({ table }: TableNode): boolean {
    if (table.schema !== undefined || this.isTarget()) return false;
    return this.nodeStack.some((node, depth) => {
      const { with: named } = node as { readonly with?: WithNode };
      if (named === undefined) return false;
      const inside = this.nodeStack[depth + 1] === named ? this.nodeStack[depth + 2] : undefined;
      return expressionsFor(named, inside).some(
        ({ name }) => name.table.table.identifier.name === table.identifier.name,
      );
    });
  }

  private isTarget(): boolean {
    const above = this.nodeStack
      .slice(0, -1)
      .filter(({ kind }) => kind !== 'AliasNode' && kind !== 'ListNode');
    const parent = above.at(-1)?.kind ?? '';
    if (parent === 'FromNode') return above.at(-2)?.kind === 'DeleteQueryNode';
    return TARGETS.has(parent);
  }
}

/** Inside a WITH query, only earlier ones are visible. With RECURSIVE, all are visible. */
function expressionsFor(
  { expressions, recursive }: WithNode,
  inside: OperationNode | undefined,
): readonly CommonTableExpressionNode[] {
  if (inside === undefined || recursive === true) return expressions;
  const at = expressions.findIndex((one) => one === inside);
  return expressions.slice(0, at);
}
