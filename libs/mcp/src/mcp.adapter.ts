import type { Introspectable, IntrospectionSnapshot } from '@fledge/core';
import type {
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';

/** The MCP server of the application. Get it with `app.get(McpAdapter)`. */
export abstract class McpAdapter implements Introspectable {
  readonly name = 'McpAdapter';

  /** The tools of the application, in the order of its routes. Empty before `app.init()`. */
  abstract getTools(): readonly McpToolDefinition[];

  /** The resources of the application and its resource templates. Empty before `app.init()`. */
  abstract getResources(): readonly McpResourceDefinition[];

  /** The prompts of the application. Empty before `app.init()`. */
  abstract getPrompts(): readonly McpPromptDefinition[];

  /** Notifies the clients of this process that subscribed to a resource that it changed. */
  abstract resourceUpdated(uri: string): void;

  /** Path of the endpoint, by default `/_mcp/messages`. */
  abstract get endpointPath(): string;

  abstract introspect(): IntrospectionSnapshot;
}
