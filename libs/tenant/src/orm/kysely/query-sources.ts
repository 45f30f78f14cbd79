import { AliasNode, IdentifierNode, ListNode, type OperationNode, TableNode } from 'kysely';

/** The parts of a query that contain the tables of the query. */
interface Query {
  readonly from?: { readonly froms: readonly OperationNode[] };
  readonly joins?: readonly { readonly table: OperationNode }[];
  readonly table?: OperationNode;
  readonly into?: OperationNode;
}

/** The names before columns: tables and aliases. Returns an empty list for other nodes. */
export function listSources(node: OperationNode): readonly string[] {
  if (!node.kind.endsWith('QueryNode')) return [];
  const { from, joins = [], table, into } = node as Query;
  const targets = table && ListNode.is(table) ? table.items : [table, into];
  return [...(from?.froms ?? []), ...joins.map((join) => join.table), ...targets]
    .map((one) => one && nameOfSource(one))
    .filter((name) => name !== undefined);
}

function nameOfSource(node: OperationNode): string | undefined {
  if (TableNode.is(node)) return node.table.identifier.name;
  if (AliasNode.is(node) && IdentifierNode.is(node.alias)) return node.alias.name;
  return undefined;
}
