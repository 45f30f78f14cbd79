import {
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  type ReferenceNode,
  TableNode,
} from 'kysely';
import { listSources } from './query-sources.js';
import type { NamedTable } from './tenant-condition.js';

/**
 * Removes the schema from references to tables that became subqueries: `billing.note.text` becomes
 * `note.text`. The alias of a subquery has no schema.
 */
export function unqualifyReferences<Q extends OperationNode>(
  query: Q,
  derived: readonly NamedTable[],
  id: QueryId,
): Q {
  const qualified = derived.filter(({ reference }) => reference.table.schema !== undefined);
  if (qualified.length === 0) return query;
  return new Unqualifier(qualified).transformNode(query, id);
}

class Unqualifier extends OperationNodeTransformer {
  constructor(private readonly derived: readonly NamedTable[]) {
    super();
  }

  protected override transformReference(node: ReferenceNode, id: QueryId): ReferenceNode {
    const reference = super.transformReference(node, id);
    const { table } = reference;
    if (table === undefined || !this.isDerived(table.table)) return reference;
    return { ...reference, table: TableNode.create(table.table.identifier.name) };
  }

  private isDerived({ schema, identifier }: NamedTable['table']['table']): boolean {
    const isNamed = this.derived.some(
      ({ reference: { table } }) =>
        table.schema?.name === schema?.name && table.identifier.name === identifier.name,
    );
    // In a nested query with a table of this name, the name without the schema is that table.
    const nested = this.nodeStack.slice(1);
    return isNamed && !nested.some((query) => listSources(query).includes(identifier.name));
  }
}
