import type { McpToolOptions } from '../decorators/tool.metadata.js';
import type { Route } from '../discovery/route.js';
import { bodyShape } from './body-shape.js';
import { Definitions } from './definitions.js';
import { explicitInput } from './explicit-input.js';
import { flatInput } from './flat-input.js';
import { pathFields } from './path-fields.js';
import { readableQuery } from './query-fields.js';
import type { ToolInput } from './tool-input.js';

/**
 * The published input schema of a route and the place of each argument in the request. Pure: all it
 * finds doubtful goes to `warn`, as whole sentences that name the route.
 *
 * @throws {ToolSchemaError} a schema that cannot be published as JSON Schema
 */
export function inputSchemaOf(
  route: Route,
  tool: McpToolOptions | undefined,
  warn: (warning: string) => void,
): ToolInput {
  if (tool?.inputSchema !== undefined)
    return explicitInput(route, tool.inputSchema, tool.examples, warn);
  const definitions = new Definitions();
  const request = {
    path: pathFields(route, definitions, warn),
    ...readableQuery(route, definitions, warn),
    body: bodyShape(route, definitions, warn),
  };
  return flatInput(request, definitions, tool?.examples);
}
