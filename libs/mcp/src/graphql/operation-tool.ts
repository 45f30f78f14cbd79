import { type GraphQLSchema, Kind, type OperationTypeNode } from 'graphql';
import type { McpToolAnnotations } from '../mcp-tool.options.js';
import type { McpSourceTool } from '../tool-source.js';
import type { GraphqlEndpoint } from './application-schema.js';
import { commentAbove } from './comments.js';
import type {
  GraphqlOperationOptions,
  ResolvedGraphqlOptions,
} from './graphql-operations.options.js';
import { readGraphqlResponse } from './graphql-response.js';
import type { CheckedOperation } from './operation-checks.js';
import type { FileOperation } from './operations.js';
import { descriptionOf, variablesSchemaOf } from './variables-schema.js';

const HINTS: Readonly<Record<`${OperationTypeNode}`, McpToolAnnotations>> = {
  query: { readOnlyHint: true, idempotentHint: true },
  mutation: { readOnlyHint: false, destructiveHint: true },
  subscription: {},
};

/**
 * Creates the tool of an operation.
 * @param onUnknown called for a scalar without a JSON Schema
 */
export function toolOf(
  operation: CheckedOperation,
  { path, schema, members }: GraphqlEndpoint,
  { operations, tags, scalars, limits }: ResolvedGraphqlOptions,
  onUnknown: (scalar: string) => void,
): McpSourceTool {
  const { name, place, node, text, costOf } = operation;
  const { annotations, description, ...given } = toolOptionsOf(operations.get(name) ?? {});
  return {
    ...(tags && { tags }),
    ...given,
    name,
    place,
    description: description ?? textOf(operation, schema),
    inputSchema: variablesSchemaOf(operation, schema, scalars, onUnknown),
    annotations: { ...HINTS[node.operation], ...annotations },
    request: {
      method: 'POST',
      path,
      accept: 'application/graphql-response+json, application/json;q=0.9',
      members: { ...members(text), ...(node.name && { operationName: node.name.value }) },
      argumentsIn: 'variables',
    },
    check: (variables) => {
      const cost = costOf(variables);
      if (cost <= limits.cost) return undefined;
      if (cost === Infinity)
        return 'Arguments that set a size, such as `first` or `limit`, must not be negative.';
      return `The call costs ${cost}, but the maximum is ${limits.cost}. Request fewer items.`;
    },
    read: readGraphqlResponse,
  };
}

/** Returns the options of an operation without `hidden`, which tools do not have. */
function toolOptionsOf({ hidden: _, ...options }: GraphqlOperationOptions) {
  return options;
}

/**
 * Returns the description in the file. If there is none, returns the descriptions of the fields in
 * the schema, or the names of the fields.
 */
function textOf({ node }: FileOperation, schema: GraphQLSchema): string {
  const written = descriptionOf(node) ?? commentAbove(node);
  if (written !== undefined) return written;
  const known = schema.getRootType(node.operation)?.getFields() ?? {};
  const fields = node.selectionSet.selections.flatMap((selection) =>
    selection.kind === Kind.FIELD ? selection.name.value : [],
  );
  const described = fields.flatMap((field) => known[field]?.description?.trim() || []);
  return described.join('\n') || `GraphQL ${node.operation}: ${fields.join(', ')}`;
}
