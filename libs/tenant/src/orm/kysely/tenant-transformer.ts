import {
  type DeleteQueryNode,
  type InsertQueryNode,
  type JoinNode,
  ListNode,
  type MergeQueryNode,
  type OperationNode,
  type QueryId,
  type SelectQueryNode,
  type TableNode,
  type UpdateQueryNode,
} from 'kysely';
import { TenantUnguardedError } from '../../tenant.errors.js';
import { CheckedTables } from './checked-tables.js';
import { guardedInsert } from './guarded-insert.js';
import { type ListedTables, nameTable } from './listed-tables.js';
import {
  checkUpdates,
  createCondition,
  derived,
  joinAnd,
  type NamedTable,
  findNamedTable,
  whereAnd,
} from './tenant-condition.js';
import { unqualifyReferences } from './unqualified-references.js';

/** Joins for which a condition in ON is sufficient to filter the joined table. */
const JOINS_BY_ON = new Set<string>(['InnerJoin', 'LeftJoin']);
/** Joins that keep rows without a match. A condition in WHERE would remove these rows. */
const KEEPS_ROWS = new Set<string>(['RightJoin', 'FullJoin']);

export class TenantTransformer extends CheckedTables {
  constructor(
    tables: ListedTables,
    private readonly column: string,
    private readonly tenantId: string,
  ) {
    super(tables);
  }

  protected override transformSelectQuery(node: SelectQueryNode, id: QueryId): SelectQueryNode {
    const query = super.transformSelectQuery(node, id);
    const joins = query.joins ?? [];
    const froms = query.from?.froms ?? [];
    if (joins.some(({ joinType }) => KEEPS_ROWS.has(joinType))) {
      const own = {
        ...query,
        ...(query.from && { from: { ...query.from, froms: froms.map(this.ownRowsOf) } }),
        joins: joins.map((join) => ({ ...join, table: this.ownRowsOf(join.table) })),
      };
      const subqueries = this.guardedIn([...froms, ...joins.map(({ table }) => table)]);
      return unqualifyReferences(own, subqueries, id);
    }
    return this.ownRowsOnly(query, froms, id);
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, id: QueryId): UpdateQueryNode {
    const query = super.transformUpdateQuery(node, id);
    const targets = node.table ? (ListNode.is(node.table) ? node.table.items : [node.table]) : [];
    const froms = query.from?.froms ?? [];
    this.refuseOuterJoins(query.joins, 'an update');
    for (const { table } of this.guardedIn([...targets, ...froms])) {
      checkUpdates(query.updates, this.column, this.tenantId, this.placeIn(table));
    }
    return this.ownRowsOnly(query, [...targets, ...froms], id);
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, id: QueryId): DeleteQueryNode {
    const query = super.transformDeleteQuery(node, id);
    this.refuseOuterJoins(query.joins, 'a delete');
    return this.ownRowsOnly(query, [...query.from.froms, ...(query.using?.tables ?? [])], id);
  }

  protected override transformInsertQuery(node: InsertQueryNode, id: QueryId): InsertQueryNode {
    const query = super.transformInsertQuery(node, id);
    const target = query.into && findNamedTable(query.into);
    if (!target || this.tables.of(target.table) !== 'guarded') return query;
    return guardedInsert(query, {
      reference: target.reference,
      column: this.column,
      tenantId: this.tenantId,
      place: this.placeIn(target.table),
    });
  }

  protected override transformMergeQuery(node: MergeQueryNode, id: QueryId): MergeQueryNode {
    const query = super.transformMergeQuery(node, id);
    const [target] = this.guardedIn([query.into]);
    if (target) {
      throw new TenantUnguardedError(
        `A MERGE into "${nameTable(target.table)}"`,
        'the plugin cannot filter the WHEN clauses of MERGE',
        'Use an insert with onConflict(), or an update',
      );
    }
    const { using } = query;
    if (!using) return query;
    const own = { ...query, using: { ...using, table: this.ownRowsOf(using.table) } };
    return unqualifyReferences(own, this.guardedIn([using.table]), id);
  }

  private guardedIn(nodes: readonly OperationNode[]): NamedTable[] {
    return nodes
      .map(findNamedTable)
      .filter((named) => named !== undefined)
      .filter(({ table }) => this.tables.of(table) === 'guarded');
  }

  private conditionFor(reference: TableNode): OperationNode {
    return createCondition(reference, this.column, this.tenantId);
  }

  private readonly ownRowsOf = (node: OperationNode): OperationNode => {
    const [named] = this.guardedIn([node]);
    return named ? derived(named, this.conditionFor(named.reference)) : node;
  };

  /**
   * Adds the condition to the ON clause of each join. If a cross join or inner join has no ON
   * clause, adds the condition to `conditions`. The caller adds `conditions` to WHERE. Other joins
   * are replaced by subqueries, and listed in `subqueries`.
   */
  private guardJoins(joins: readonly JoinNode[]) {
    const conditions: OperationNode[] = [];
    const subqueries: NamedTable[] = [];
    const changed = joins.map((join): JoinNode => {
      const [named] = this.guardedIn([join.table]);
      if (!named) return join;
      const condition = this.conditionFor(named.reference);
      if (JOINS_BY_ON.has(join.joinType) && join.on) return joinAnd(join, condition);
      if (join.joinType === 'CrossJoin' || join.joinType === 'InnerJoin') {
        conditions.push(condition);
        return join;
      }
      subqueries.push(named);
      return { ...join, table: derived(named, condition) };
    });
    return { joins: changed, conditions, subqueries };
  }

  private ownRowsOnly<Q extends SelectQueryNode | UpdateQueryNode | DeleteQueryNode>(
    query: Q,
    tables: readonly OperationNode[],
    id: QueryId,
  ): Q {
    const { joins, conditions, subqueries } = this.guardJoins(query.joins ?? []);
    const own = this.guardedIn(tables).map(({ reference }) => this.conditionFor(reference));
    const where = whereAnd(query.where, [...own, ...conditions]);
    const filtered = { ...query, ...(query.joins && { joins }), ...(where && { where }) };
    return unqualifyReferences(filtered, subqueries, id);
  }

  private refuseOuterJoins(joins: readonly JoinNode[] | undefined, call: string): void {
    const outer = joins?.find(({ joinType }) => KEEPS_ROWS.has(joinType));
    const [named] = outer ? this.guardedIn([outer.table]) : [];
    if (!named) return;
    throw new TenantUnguardedError(
      `A right or full join of "${nameTable(named.table)}" in ${call}`,
      'the ON condition of such a join does not filter the rows of the table',
      'Use a left or inner join',
    );
  }

  private placeIn(table: TableNode): string {
    return `${nameTable(table)}.${this.column}`;
  }
}
