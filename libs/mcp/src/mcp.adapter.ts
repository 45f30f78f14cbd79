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

  /** Returns the tools of all endpoints, in the order of the routes. Empty before `app.init()`. */
  abstract getTools(): readonly McpToolDefinition[];

  /** Returns the resources and resource templates of all endpoints. Empty before `app.init()`. */
  abstract getResources(): readonly McpResourceDefinition[];

  /** Returns the prompts of all endpoints. Empty before `app.init()`. */
  abstract getPrompts(): readonly McpPromptDefinition[];

  /**
   * Notifies the subscribed clients that a resource changed. Reaches the clients of this process
   * and, with `sessions.store`, the sessions of all processes.
   */
  abstract resourceUpdated(uri: string): void;

  /**
   * Tells clients to read the tool list again, because `visible` may now return different values.
   * Sends `notifications/tools/list_changed` to the sessions of this process and to listening
   * clients. Does nothing if `visible` is not set, because lists then never change.
   */
  abstract toolsChanged(): void;

  /**
   * Returns the endpoints, in the order of the option `endpoints`. Their lists are empty before
   * `app.init()`.
   */
  abstract getEndpoints(): readonly McpEndpointDefinition[];

  /** Path of the first endpoint. By default `/_mcp/messages`. */
  abstract get endpointPath(): string;

  abstract introspect(): IntrospectionSnapshot;
}
