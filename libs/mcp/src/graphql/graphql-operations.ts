import { isScalarType, type GraphQLSchema } from 'graphql';
import { GraphqlOperationError, McpOptionError } from '../mcp.errors.js';
import type { McpSourceApplication, McpSourceTool, McpToolSource } from '../tool-source.js';
import { graphqlEndpointOf } from './application-schema.js';
import {
  type GraphqlOperationsOptions,
  type ResolvedGraphqlOptions,
  resolveGraphqlOptions,
} from './graphql-operations.options.js';
import { checked } from './operation-checks.js';
import { readOperationFiles } from './operation-files.js';
import { toolOf } from './operation-tool.js';
import { operationsOf, type Report } from './operations.js';
import { publishedOf } from './published-operations.js';

/**
 * Publishes the operations in `.graphql` files as tools. A tool call is a POST request to the
 * application's own GraphQL endpoint. The tool's arguments are the variables of the operation; the
 * comment above an operation is its description.
 * @throws McpOptionError if an option is invalid. Later, startup fails with GraphqlOperationError
 * if an operation is invalid, or with GraphqlEndpointError if there is no schema
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', toolSources: [graphqlOperations({ files: 'src/tools' })] })
 * ```
 */
export function graphqlOperations(options: GraphqlOperationsOptions): McpToolSource {
  const resolved = resolveGraphqlOptions(options);
  return { tools: (application) => toolsOf(resolved, application) };
}

async function toolsOf(
  options: ResolvedGraphqlOptions,
  application: McpSourceApplication,
): Promise<readonly McpSourceTool[]> {
  const { warn } = application;
  const faults: string[] = [];
  const report: Report = (place, fault) => faults.push(`${place}: ${fault}.`);
  const endpoint = await graphqlEndpointOf(application, options);
  refuseUnknownScalars(options, endpoint.schema);
  const operations = operationsOf(await readOperationFiles(options.files), report);
  // Problems of files are reported first, because an unreadable file may contain the operation that
  // an option refers to.
  if (faults.length > 0) throw new GraphqlOperationError(faults);
  const valid = publishedOf(operations, options, { report, warn }).flatMap(
    (operation) => checked(operation, endpoint, options.limits, report) ?? [],
  );
  if (faults.length > 0) throw new GraphqlOperationError(faults);

  const unknown = new Set<string>();
  const tools = valid.map((each) =>
    toolOf(each, endpoint, options, (scalar) => unknown.add(scalar)),
  );
  warnOfScalars(unknown, warn);
  return tools;
}

function refuseUnknownScalars({ scalars }: ResolvedGraphqlOptions, schema: GraphQLSchema): void {
  const unknown = Object.keys(scalars).find((name) => !isScalarType(schema.getType(name)));
  if (unknown === undefined) return;
  throw new McpOptionError(
    `graphqlOperations({ scalars: { ${unknown} } }) sets a scalar that the schema does not have.`,
  );
}

function warnOfScalars(unknown: ReadonlySet<string>, warn: (warning: string) => void): void {
  if (unknown.size === 0) return;
  const names = [...unknown];
  warn(
    `The GraphQL scalars ${names.join(', ')} have no JSON Schema, so the arguments of tools accept any value ` +
      `for them. Set graphqlOperations({ scalars: { ${names[0]}: { type: 'string' } } }).`,
  );
}
