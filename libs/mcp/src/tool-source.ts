import type { ModulesContainer } from '@nestjs/core';
import type { JsonSchema } from './publish/decorators/author-schema.js';
import type { McpToolOptions } from './mcp-tool.options.js';
import type { HttpMethod } from './mcp.definitions.js';

/**
 * Provides tools that are not controller routes, such as GraphQL operations. Each tool call is an
 * HTTP request to the application, with a fixed method and path.
 *
 * @example
 * ```ts
 * const search: McpToolSource = {
 *   tools: () => [
 *     {
 *       name: 'search',
 *       description: 'Searches the catalogue',
 *       place: 'search.ts',
 *       inputSchema: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
 *       request: { method: 'POST', path: '/rpc', members: { method: 'search' }, argumentsIn: 'params' },
 *     },
 *   ],
 * };
 * ```
 */
export interface McpToolSource {
  /**
   * Returns the tools. Called once, when all modules are initialized. If this function throws,
   * startup fails.
   * @param application the application that handles the requests
   */
  tools(
    application: McpSourceApplication,
  ): readonly McpSourceTool[] | Promise<readonly McpSourceTool[]>;
}

/** Returns true if a value is a list of tool sources. */
export function isToolSources(value: unknown): value is readonly McpToolSource[] {
  return (
    Array.isArray(value) &&
    value.every((source: McpToolSource | null | undefined) => typeof source?.tools === 'function')
  );
}

/** The parts of the application that a tool source can use. */
export interface McpSourceApplication {
  /** The modules of the application. Use them to find providers. */
  readonly modules: ModulesContainer;
  /** Global prefix. Empty, or starts with a slash. */
  readonly globalPrefix: string;
  /** Logs a warning. */
  readonly warn: (warning: string) => void;
}

/** A tool of a tool source. */
export interface McpSourceTool extends Pick<
  McpToolOptions,
  'description' | 'title' | 'annotations' | 'timeoutMs' | 'scopes' | 'redact' | 'tags'
> {
  /**
   * Tool name: 1 to 64 characters of `A-Za-z0-9_.-`. The name must be unique among all tools of the
   * server, including the tools of routes.
   */
  readonly name: string;
  /** The place of the declaration, such as `tools/tasks.graphql:3`. Shown in messages. */
  readonly place: string;
  /**
   * JSON Schema 2020-12 with `type: 'object'`. Arguments are validated before the request is
   * created.
   */
  readonly inputSchema: JsonSchema;
  readonly request: McpSourceRequest;
  /**
   * Additional check of valid arguments. Returns undefined to accept the arguments. To reject them,
   * returns a sentence with the reason.
   */
  readonly check?: (args: Readonly<Record<string, unknown>>) => string | undefined;
  /**
   * Reads a response. Set this if only the body shows whether the call failed.
   * @default a status of 300 and above is a failure
   */
  readonly read?: (response: McpSourceResponse) => McpSourceAnswer;
}

/** The HTTP request of a call. Its body is a JSON object. */
export interface McpSourceRequest {
  readonly method: HttpMethod;
  /** Path with the global prefix and without parameters. */
  readonly path: string;
  /** Value of the `Accept` header. @default 'application/json' */
  readonly accept?: string;
  /** Constant fields of the body. These fields are the same in every call. @default none */
  readonly members?: Readonly<Record<string, unknown>>;
  /**
   * Name of the body field that contains the arguments.
   * @default none: the arguments are fields of the body
   */
  readonly argumentsIn?: string;
}

/** A response with a text body. */
export interface McpSourceResponse {
  readonly status: number;
  /** The body. Longer bodies are cut at `limits.responseBytes`. */
  readonly body: string;
  /** False if the body was cut. */
  readonly complete: boolean;
}

/** The result of a call. `read` creates it from a response. */
export interface McpSourceAnswer {
  /** Text of the result. */
  readonly body: string;
  /** True if the call failed. With a status of 300 or above, the call always failed. */
  readonly failed: boolean;
  /** Error code for programs. */
  readonly code?: string | undefined;
}
