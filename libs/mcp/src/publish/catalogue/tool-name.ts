import { ToolNameError } from '../../mcp.errors.js';
import type { McpToolOptions } from '../../mcp-tool.options.js';
import type { Route } from '../routes/route.js';
import { operationIdOf } from './route-documentation.js';

/** Names that clients accept: the stricter of the MCP recommendation and the conformance suite. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** The name of a tool: from `@McpTool`, else the operation id, else `Controller.method`. */
export function toolNameOf(route: Route, tool: Pick<McpToolOptions, 'name'> | undefined): string {
  return tool?.name ?? derivedToolName(route);
}

/** The name of a tool whose author gave it none. */
export function derivedToolName(route: Route): string {
  return operationIdOf(route) ?? route.label;
}

/** @throws ToolNameError if clients would reject the name */
export function assertToolName(name: string, place: string): void {
  if (!TOOL_NAME.test(name)) throw new ToolNameError(name, place);
}
