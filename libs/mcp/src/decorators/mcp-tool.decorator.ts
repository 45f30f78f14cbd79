import { SetMetadata } from '@nestjs/common';
import type { McpToolOptions } from './tool.metadata.js';

/** Key under which `@McpTool` keeps its options on the method. */
export const MCP_TOOL_METADATA = 'fledge:mcp:tool';

/**
 * Publishes a controller route as an MCP tool. Only records: without `McpModule` in the application
 * it has no effect and loads nothing.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpTool({ description: 'Read one task' })
 * find(@Param('id', ParseIntPipe) id: number) {}
 * ```
 */
export function McpTool(options: McpToolOptions): MethodDecorator {
  return SetMetadata(MCP_TOOL_METADATA, options);
}

/** The options `@McpTool` recorded on a method; undefined where it carries none. */
export function getMcpToolMeta(method: Function): McpToolOptions | undefined {
  return Reflect.getMetadata(MCP_TOOL_METADATA, method) as McpToolOptions | undefined;
}

/** Whether a method carries `@McpTool`. */
export function isMcpTool(method: Function): boolean {
  return getMcpToolMeta(method) !== undefined;
}
