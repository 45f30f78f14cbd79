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
export { getMcpPromptMeta, McpPrompt } from './decorators/mcp-prompt.decorator.js';
export { getMcpResourceMeta, McpResource } from './decorators/mcp-resource.decorator.js';
export type { McpPromptOptions } from './decorators/prompt.metadata.js';
export type { McpResourceOptions } from './decorators/resource.metadata.js';
export type { ClientFeature, McpClientInfo } from './live/call-peer.js';
export type {
  McpElicitation,
  McpElicitRequest,
  McpRoot,
  McpSample,
  McpSampleRequest,
} from './live/client-input.js';
export {
  McpClientAnswerError,
  McpClientCapabilityError,
  McpInputRequiredError,
} from './live/live.errors.js';
export type { LogLevel } from './live/log-level.js';
export { McpCall } from './live/mcp-call.js';
export { McpCallInfo } from './live/mcp-call-info.decorator.js';
export { McpAdapter } from './mcp.adapter.js';
export type {
  HttpMethod,
  McpPromptArgument,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
export {
  CompletionError,
  DuplicatePromptError,
  DuplicateResourceError,
  DuplicateToolError,
  McpError,
  McpOptionError,
  MissingPeerError,
  NotARouteError,
  ParameterTypesError,
  ResourceUriError,
  ToolNameError,
  ToolSchemaError,
} from './mcp.errors.js';
export { McpModule } from './mcp.module.js';
export type {
  McpAdapterOptions,
  McpAuthOptions,
  McpExposureMode,
  McpLimitOptions,
  McpPrincipal,
  McpRequest,
  McpResourceMetadata,
  McpSessionOptions,
  McpTransport,
} from './mcp.options.js';
export type { McpContentBlock, McpEmbeddedResource } from './protocol/content-block.js';
