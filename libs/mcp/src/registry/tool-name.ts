import type { McpToolOptions } from '../decorators/tool.metadata.js';
import type { Route } from '../discovery/route.js';
import { ToolNameError } from '../mcp.errors.js';

/** What clients take: the narrower of the MCP recommendation and the conformance suite. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** Where @nestjs/swagger keeps what `@ApiOperation()` was given. */
const API_OPERATION = 'swagger/apiOperation';

/**
 * The name of a route's tool: the decorator's, else the operation id, else `Controller.method`.
 * @throws ToolNameError for a name clients would refuse
 */
export function toolNameOf(route: Route, tool: McpToolOptions | undefined): string {
  const name = tool?.name ?? operationOf(route)?.operationId ?? route.label;
  if (!TOOL_NAME.test(name)) throw new ToolNameError(name, route.label);
  return name;
}

/** The decorator's description, else what the operation says of itself, else verb and path. */
export function toolDescriptionOf(route: Route, tool: McpToolOptions | undefined): string {
  const operation = operationOf(route);
  return (
    tool?.description ??
    (operation?.description || operation?.summary || `${route.verb} ${route.path}`)
  );
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
}

function operationOf(route: Route): Operation | undefined {
  return Reflect.getMetadata(API_OPERATION, route.handler) as Operation | undefined;
}
