export {
  MCP_TOOL_METADATA,
  McpTool,
  getMcpToolMeta,
  isMcpTool,
} from './publish/decorators/mcp-tool.decorator.js';
export type { StandardSchema } from './publish/decorators/author-schema.js';
export type { JsonSchema } from './publish/decorators/author-schema.js';
export type { McpToolAnnotations, McpToolExample, McpToolOptions } from './mcp-tool.options.js';
export { getMcpPromptMeta, McpPrompt } from './publish/decorators/mcp-prompt.decorator.js';
export { getMcpResourceMeta, McpResource } from './publish/decorators/mcp-resource.decorator.js';
export type { McpPromptOptions } from './publish/decorators/mcp-prompt.decorator.js';
export type { McpResourceOptions } from './publish/decorators/mcp-resource.decorator.js';
export type { ClientFeature, McpClientInfo } from './mcp.definitions.js';
export type {
  McpElicitation,
  McpElicitRequest,
  McpElicitUrlRequest,
  McpRoot,
  McpSample,
  McpSampleRequest,
  McpUrlElicitation,
} from './serve/call/client-input.js';
export {
  McpClientAnswerError,
  McpClientCapabilityError,
  McpInputRequiredError,
} from './mcp.errors.js';
export type { LogLevel } from './serve/call/peer.js';
export { McpCall } from './serve/call/mcp-call.js';
export { McpCallInfo } from './serve/call/mcp-call-info.decorator.js';
export { McpAdapter } from './mcp.adapter.js';
export type {
  HttpMethod,
  McpEndpointDefinition,
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
  GraphqlEndpointError,
  GraphqlOperationError,
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
  McpAuthOptions,
  McpBearerAuthOptions,
  McpOidcAuthOptions,
  McpPrincipal,
  McpRequest,
  McpResourceMetadata,
} from './options/auth-options.js';
export type { McpIcon, McpServerOptions } from './options/server-options.js';
export { PageError } from './extensions/options.js';
export type {
  McpAuditOptions,
  McpKnownWrite,
  McpOwnToolResultOptions,
  McpCacheOptions,
  McpPageCsp,
  McpPageFile,
  McpPagePermission,
  McpPageSettings,
  McpResultOptions,
  McpSdkServer,
  McpSdkServerOptions,
  McpSearchOptions,
  McpStoredTask,
  McpTaskAnswers,
  McpTaskEndpoint,
  McpTaskOptions,
  McpTaskReceiver,
  McpTasks,
  McpTaskStore,
  McpTelemetryMode,
  McpTelemetryOptions,
  McpToolConfirm,
  McpToolIdempotency,
  McpToolNames,
  McpToolResultOptions,
  McpToolTask,
  McpToolUi,
  McpTransaction,
  McpWrite,
  McpWriteOptions,
  McpWrites,
  McpWriteStore,
} from './extensions/options.js';
export type { McpResumeOptions } from './options/resume-options.js';
export type { McpSessionOptions } from './options/session-options.js';
export type {
  McpClosedSession,
  McpEntrance,
  McpEntry,
  McpListening,
  McpSessionEnd,
  McpSessionEndpoint,
  McpSessionMessage,
  McpSessionReceiver,
  McpSessionStore,
  McpSharedSessions,
  McpStoredSession,
  McpStreamEvent,
} from './options/session-store.js';
export type { McpLimitOptions } from './options/limit-options.js';
export type {
  McpAdapterOptions,
  McpEndpointOptions,
  McpExposureMode,
  McpOutputSchemas,
  McpTransport,
} from './mcp.options.js';
export type {
  McpSourceAnswer,
  McpSourceApplication,
  McpSourceRequest,
  McpSourceResponse,
  McpSourceTool,
  McpToolSource,
} from './tool-source.js';
export type { CallRecord as McpCallRecord } from '@fledge/core/packages';
export type { McpContentBlock, McpEmbeddedResource } from './serve/results/tool-result.js';
