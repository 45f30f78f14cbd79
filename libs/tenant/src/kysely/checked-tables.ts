import {
  type CommonTableExpressionNameNode,
  type IdentifierNode,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  type RawNode,
  type TableNode,
  type WithNode,
} from 'kysely';
import { TenantUnguardedError } from '../tenant.errors.js';
import { checkNamed, type ListedTables, nameOf } from './listed-tables.js';

/** Parents under which a table is a name of one that the query reads elsewhere. */
const REFERENCES = new Set<string>([
  'ReferenceNode',
  'AggregateFunctionNode',
  'FunctionNode',
  'SelectModifierNode',
]);

/** Refuses tables of one query that cannot be filtered. Made for each query, because it collects names. */
export class CheckedTables extends OperationNodeTransformer {
  /** The names of WITH queries, which are no tables. */
  private readonly expressions = new Set<string>();

  constructor(protected readonly tables: ListedTables) {
    super();
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T, id: QueryId): T {
    const { with: named } = node as { readonly with?: WithNode };
    // Before the tables of the query, which may name them.
    for (const { name } of named?.expressions ?? []) {
      this.expressions.add(name.table.table.identifier.name);
    }
    return super.transformNodeImpl(node, id);
  }

  protected override transformCommonTableExpressionName(
    node: CommonTableExpressionNameNode,
    id: QueryId,
  ): CommonTableExpressionNameNode {
    if (this.tables.of(node.table) === 'guarded') {
      throw new TenantUnguardedError(
        `A WITH query named ${nameOf(node.table)}`,
        'a table of tenants has this name',
        'Give it another name',
      );
    }
    return super.transformCommonTableExpressionName(node, id);
  }

  protected override transformRaw(node: RawNode, id: QueryId): RawNode {
    checkNamed(node.sqlFragments.join(' ? '), this.tables);
    return super.transformRaw(node, id);
  }

  /** `sql.id('note')`. Elsewhere the parent of a name is a table or a column. */
  protected override transformIdentifier(node: IdentifierNode, id: QueryId): IdentifierNode {
    if (this.nodeStack.at(-2)?.kind === 'RawNode') checkNamed(node.name, this.tables);
    return super.transformIdentifier(node, id);
  }

  protected override transformTable(node: TableNode, id: QueryId): TableNode {
    const parent = this.nodeStack.at(-2)?.kind ?? '';
    if (!REFERENCES.has(parent) && !this.isExpression(node)) this.checkTable(node, parent);
    return super.transformTable(node, id);
  }

  private checkTable(node: TableNode, parent: string): void {
    const listed = this.tables.of(node);
    if (listed === undefined) {
      throw new TenantUnguardedError(
        `The table ${nameOf(node)}`,
        'it is in no list of tenantPlugin()',
        'Add it to `tables`, or to `shared` if its rows belong to no tenant',
      );
    }
    if (listed === 'guarded' && parent === 'RawNode') {
      throw new TenantUnguardedError(
        `sql.table('${nameOf(node)}')`,
        'the plugin does not read SQL',
        'Use the query builder, or db.withoutPlugins() and filter by the tenant yourself',
      );
    }
  }

  private isExpression({ table }: TableNode): boolean {
    return table.schema === undefined && this.expressions.has(table.identifier.name);
  }
}
