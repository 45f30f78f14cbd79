import { ToolNameError } from '../../mcp.errors.js';
import type { McpToolOptions } from '../../mcp-tool.options.js';
import type { Route } from '../routes/route.js';
import { operationIdOf } from './route-documentation.js';

/**
 * The pattern of names that clients accept. This pattern is allowed by the MCP recommendation and
 * by the conformance suite.
 */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * Returns the name of a tool: the name in `@McpTool`, or else the operation id, or else
 * `Controller.method`.
 */
export function toolNameOf(route: Route, tool: Pick<McpToolOptions, 'name'> | undefined): string {
  return tool?.name ?? derivedToolName(route);
}

/** Returns the default name of a tool. */
export function derivedToolName(route: Route): string {
  return operationIdOf(route) ?? route.label;
}

/** @throws ToolNameError if clients would reject the name */
export function assertToolName(name: string, place: string): void {
  if (!TOOL_NAME.test(name)) throw new ToolNameError(name, place);
}
