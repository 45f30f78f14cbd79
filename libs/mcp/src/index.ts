export {
  MCP_TOOL_METADATA,
  McpTool,
  getMcpToolMeta,
  isMcpTool,
} from './decorators/mcp-tool.decorator.js';
export type { StandardSchema } from './decorators/standard-schema.js';
export type {
  JsonSchema,
  McpToolAnnotations,
  McpToolExample,
  McpToolOptions,
} from './decorators/tool.metadata.js';
export { McpAdapter } from './mcp.adapter.js';
export {
  DuplicateToolError,
  McpError,
  McpOptionError,
  NotARouteError,
  ToolNameError,
  ToolSchemaError,
} from './mcp.errors.js';
export { McpModule } from './mcp.module.js';
export type {
  HttpMethod,
  McpAdapterOptions,
  McpAuthOptions,
  McpExposureMode,
  McpLimitOptions,
  McpPrincipal,
  McpRequest,
  McpSessionOptions,
  McpTransport,
} from './mcp.options.js';
export type { McpToolDefinition } from './registry/tool.js';
