import type { Introspectable, IntrospectionSnapshot } from '@fledge/core';
import type {
  McpEndpointDefinition,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';

/** The MCP server of the application. Get it with `app.get(McpAdapter)`. */
export abstract class McpAdapter implements Introspectable {
  readonly name = 'McpAdapter';

  /** The tools of all endpoints, in the order of the routes. Empty before `app.init()`. */
  abstract getTools(): readonly McpToolDefinition[];

  /** The resources of all endpoints and their resource templates. Empty before `app.init()`. */
  abstract getResources(): readonly McpResourceDefinition[];

  /** The prompts of all endpoints. Empty before `app.init()`. */
  abstract getPrompts(): readonly McpPromptDefinition[];

  /**
   * Notifies the clients that subscribed to a resource that it changed: those of this process, and with
   * `sessions.store` the sessions of each process.
   */
  abstract resourceUpdated(uri: string): void;

  /**
   * Notifies clients that `visible` may return something else for a tool than before, so that they read the list again:
   * `notifications/tools/list_changed` in the sessions of this process and to clients that listen. Without `visible`, lists
   * do not change, and nothing is sent.
   */
  abstract toolsChanged(): void;

  /** The endpoints, in the order of the option `endpoints`. Their lists are empty before `app.init()`. */
  abstract getEndpoints(): readonly McpEndpointDefinition[];

  /** Path of the endpoint, by default `/_mcp/messages`. Of several: of the first. */
  abstract get endpointPath(): string;

  abstract introspect(): IntrospectionSnapshot;
}
