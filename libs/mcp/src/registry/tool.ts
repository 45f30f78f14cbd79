import type { McpToolAnnotations } from '../decorators/tool.metadata.js';
import type { McpToolDefinition } from '../mcp.definitions.js';
import type { Operation } from './operation.js';
import type { ToolOutput } from './tool-output.js';

/** A route made into a tool. */
export interface Tool extends McpToolDefinition, Operation {
  readonly kind: 'tool';
  readonly title: string | undefined;
  readonly output: ToolOutput | undefined;
  readonly annotations: McpToolAnnotations;
  /** Whether the body is the content, or a list of content blocks. */
  readonly content: 'body' | 'blocks';
}

/** A tool as `tools/list` shows it (MCP 2025-11-25, `Tool`). */
export function listedTool(tool: Tool): object {
  return {
    name: tool.name,
    ...(tool.title !== undefined && { title: tool.title }),
    description: tool.description,
    inputSchema: tool.inputSchema,
    ...(tool.output && { outputSchema: tool.output.schema }),
    annotations: tool.annotations,
  };
}
