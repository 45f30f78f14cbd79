import type { ModulesContainer } from '@nestjs/core';
import type { JsonSchema } from './publish/decorators/author-schema.js';
import type { McpToolOptions } from './mcp-tool.options.js';
import type { HttpMethod } from './mcp.definitions.js';

/**
 * Yields tools that are not routes of controllers, such as GraphQL operations. Each call of one is an HTTP
 * request to the application, with a fixed method and path.
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
   * Returns the tools. Called once, when all modules are initialized. What it throws stops the boot.
   * @param application the application that serves the requests
   */
  tools(
    application: McpSourceApplication,
  ): readonly McpSourceTool[] | Promise<readonly McpSourceTool[]>;
}

/** Whether a value is a list of tool sources. */
export function isToolSources(value: unknown): value is readonly McpToolSource[] {
  return (
    Array.isArray(value) &&
    value.every((source: McpToolSource | null | undefined) => typeof source?.tools === 'function')
  );
}

/** The application of a source. */
export interface McpSourceApplication {
  /** The modules of the application, to find providers in. */
  readonly modules: ModulesContainer;
  /** Empty, or with a leading slash. */
  readonly globalPrefix: string;
  /** Logs a warning. */
  readonly warn: (warning: string) => void;
}

/** A tool of a source. */
export interface McpSourceTool extends Pick<
  McpToolOptions,
  'description' | 'title' | 'annotations' | 'timeoutMs' | 'scopes' | 'redact' | 'tags'
> {
  /** Unique on the server, also among the tools of routes: 1 to 64 characters of `A-Za-z0-9_.-`. */
  readonly name: string;
  /** Where the tool is declared, for messages: `tools/tasks.graphql:3`. */
  readonly place: string;
  /** JSON Schema 2020-12 of type object. Arguments are validated before the request is made. */
  readonly inputSchema: JsonSchema;
  readonly request: McpSourceRequest;
  /** Checks valid arguments further. Returns why they are refused, as a sentence, or undefined. */
  readonly check?: (args: Readonly<Record<string, unknown>>) => string | undefined;
  /**
   * Reads a response whose body says whether it failed.
   * @default a status of 300 and above is a failure
   */
  readonly read?: (response: McpSourceResponse) => McpSourceAnswer;
}

/** The HTTP request of a call. Its body is JSON, an object. */
export interface McpSourceRequest {
  readonly method: HttpMethod;
  /** With the global prefix, without parameters. */
  readonly path: string;
  /** @default 'application/json' */
  readonly accept?: string;
  /** Members of the body that are the same in each call. @default none */
  readonly members?: Readonly<Record<string, unknown>>;
  /** Member of the body that has the arguments. @default none: they are members of the body */
  readonly argumentsIn?: string;
}

/** A response with a text. */
export interface McpSourceResponse {
  readonly status: number;
  /** The body, or the part of it that `limits.responseBytes` allows. */
  readonly body: string;
  /** False if the body was longer. */
  readonly complete: boolean;
}

/** What a response means. */
export interface McpSourceAnswer {
  /** Text of the result. */
  readonly body: string;
  /** The result is an error. A status of 300 and above is one anyway. */
  readonly failed: boolean;
  /** Code of the error, for programs. */
  readonly code?: string | undefined;
}
