import type { McpToolOptions } from '../../mcp-tool.options.js';
import { recordOptions } from './record-options.js';

/** Metadata key of the `@McpTool` options on a method. */
export const MCP_TOOL_METADATA = 'fledge:mcp:tool';

/**
 * Publishes a controller route as an MCP tool. The decorator only records metadata. If the
 * application does not import `McpModule`, the decorator only logs a warning. If the tool cannot be
 * published, startup fails with an `McpError`, such as `McpOptionError`, `NotARouteError`,
 * `ToolNameError` or `DuplicateToolError`. In auto mode, a route that needs a file upload is
 * skipped, and a warning is logged.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpTool({ description: 'Read one task' })
 * find(@Param('id', ParseIntPipe) id: number) {}
 * ```
 */
export function McpTool(options: McpToolOptions): MethodDecorator {
  return recordOptions('@McpTool', MCP_TOOL_METADATA, options);
}

/** Returns the `@McpTool` options of a method, or undefined if it is not decorated. */
export function getMcpToolMeta(method: Function): McpToolOptions | undefined {
  return Reflect.getMetadata(MCP_TOOL_METADATA, method) as McpToolOptions | undefined;
}

/** Returns true if a method is decorated with `@McpTool`. */
export function isMcpTool(method: Function): boolean {
  return getMcpToolMeta(method) !== undefined;
}
