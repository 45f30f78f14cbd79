import { OperationTypeNode } from 'graphql';
import { McpOptionError } from '../mcp.errors.js';
import type { ResolvedGraphqlOptions } from './graphql-operations.options.js';
import type { FileOperation, Report } from './operations.js';

/**
 * Returns the operations that become tools. Leaves out hidden operations and mutations that
 * `mutations` does not allow.
 * @throws McpOptionError for a name in `operations` that does not exist
 */
export function publishedOf(
  all: readonly FileOperation[],
  { mutations, operations }: Pick<ResolvedGraphqlOptions, 'mutations' | 'operations'>,
  { report, warn }: { readonly report: Report; readonly warn: (warning: string) => void },
): readonly FileOperation[] {
  refuseUnknown(all, operations);
  const isAllowed = ({ name, node }: FileOperation): boolean =>
    node.operation !== OperationTypeNode.MUTATION ||
    mutations === 'all' ||
    (mutations === 'explicit' && operations.has(name));
  const shown = all.filter(({ name }) => operations.get(name)?.hidden !== true);
  for (const { name, node, place } of shown) {
    if (node.operation !== OperationTypeNode.SUBSCRIPTION) continue;
    report(
      place,
      'a subscription cannot become a tool, because it streams events. Remove the subscription, ' +
        `or set graphqlOperations({ operations: { ${name}: { hidden: true } } })`,
    );
  }
  const refused = shown.filter((operation) => !isAllowed(operation));
  if (mutations === undefined && refused.length > 0) {
    warn(
      `Mutations are not published: ${refused.map(({ name }) => name).join(', ')}. Set ` +
        "graphqlOperations({ mutations: 'explicit' }), and list in `operations` each mutation " +
        "that agents may run. Or set mutations: 'none' to hide this warning.",
    );
  }
  return shown.filter(
    (each) => isAllowed(each) && each.node.operation !== OperationTypeNode.SUBSCRIPTION,
  );
}

/** Rejects unknown names. A misspelled name would leave an operation without its scopes. */
function refuseUnknown(
  all: readonly FileOperation[],
  operations: ResolvedGraphqlOptions['operations'],
): void {
  const known = all.map(({ name }) => name);
  const unknown = [...operations.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new McpOptionError(
    `graphqlOperations({ operations: { ${unknown} } }) contains an unknown operation. ` +
      `The operations are: ${known.join(', ')}.`,
  );
}
