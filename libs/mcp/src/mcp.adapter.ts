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

  /**
   * Returns the tools of all endpoints, in the order of the routes. Returns `[]` before
   * `app.init()`.
   */
  abstract getTools(): readonly McpToolDefinition[];

  /**
   * Returns the resources and resource templates of all endpoints. Returns `[]` before
   * `app.init()`.
   */
  abstract getResources(): readonly McpResourceDefinition[];

  /** Returns the prompts of all endpoints. Returns `[]` before `app.init()`. */
  abstract getPrompts(): readonly McpPromptDefinition[];

  /**
   * Notifies the clients that subscribed to a resource. Call this when the resource has changed. By
   * default, notifies only clients with a session in this process. With `sessions.store`, notifies
   * the sessions of all processes.
   */
  abstract resourceUpdated(uri: string): void;

  /**
   * Tells clients to request the tool list again. Call this when `visible` may return different
   * values than before. Sends `notifications/tools/list_changed` to the sessions of this process
   * and to listening clients. Has no effect if `visible` is not set.
   */
  abstract toolsChanged(): void;

  /**
   * Returns the endpoints, in the order of the option `endpoints`. Before `app.init()`, the
   * endpoints have no tools, resources or prompts.
   */
  abstract getEndpoints(): readonly McpEndpointDefinition[];

  /** Path of the first endpoint. By default `/_mcp/messages`. */
  abstract get endpointPath(): string;

  abstract introspect(): IntrospectionSnapshot;
}
