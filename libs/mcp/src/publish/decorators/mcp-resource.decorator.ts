import { SetMetadata } from '@nestjs/common';
import { neededMcpModule } from './mcp-module-needed.js';
import type { McpExtensionResourceOptions } from '../../extensions/options.js';

/** Options of `@McpResource`. */
export interface McpResourceOptions extends McpExtensionResourceOptions {
  /**
   * URI of the resource: `config://app`. With `ui://board` the route returns a page, an HTML text. With parameters of the route it is a template (RFC 6570):
   * `tasks://{id}` matches one segment, `files://{+path}` matches slashes too,
   * `tasks://search{?status,page}` matches a query. It must contain every required parameter.
   */
  readonly uri: string;
  /** Name in the list. @default `ControllerName.methodName` */
  readonly name?: string;
  /** Display name. @default none */
  readonly title?: string;
  /** Description sent to clients. @default none */
  readonly description?: string;
  /** Media type in the list. A read returns the media type of the response. @default none */
  readonly mimeType?: string;
  /**
   * Completions of the URI's parameters: maps a parameter to the name of a GET route method of the
   * this controller. The method gets the typed text as `value`, and the other known parameters that
   * it declares. It returns a list of texts.
   * @default none
   */
  readonly complete?: Readonly<Record<string, string>>;
  /** Required OAuth scopes; see `McpToolOptions.scopes`. @default none */
  readonly scopes?: readonly string[];
  /** Tags; see `McpToolOptions.tags`. @default those of `@ApiTags` of @nestjs/swagger */
  readonly tags?: readonly string[];
  /** Time-out of a read in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}

/** The options of `@McpResource` without those of extensions. */
export type McpCoreResourceOptions = Omit<McpResourceOptions, keyof McpExtensionResourceOptions>;

/** Metadata key of the `@McpResource` options on a method. */
export const MCP_RESOURCE_METADATA = 'fledge:mcp:resource';

/**
 * Publishes a GET route as an MCP resource, or as a resource template if the URI has parameters. A
 * read runs as a request through the application, like a tool call. The decorator only records
 * metadata, like `@McpTool`. Boot fails with an `McpError`, such as `NotARouteError`,
 * `ResourceUriError` or `DuplicateResourceError`, if the resource cannot be published.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpResource({ uri: 'tasks://{id}', description: 'One task' })
 * find(@Param('id') id: string) {}
 * ```
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  neededMcpModule.need();
  return SetMetadata(MCP_RESOURCE_METADATA, options);
}

/** Returns the `@McpResource` options of a method; undefined if it is not decorated. */
export function getMcpResourceMeta(method: Function): McpResourceOptions | undefined {
  return Reflect.getMetadata(MCP_RESOURCE_METADATA, method) as McpResourceOptions | undefined;
}
