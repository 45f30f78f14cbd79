import { recordOptions } from './record-options.js';
import type { McpExtensionResourceOptions } from '../../extensions/options.js';

/** Options of `@McpResource`. */
export interface McpResourceOptions extends McpExtensionResourceOptions {
  /**
   * URI of the resource, such as `config://app`. A `ui:` URI such as `ui://board` publishes a page:
   * the route returns HTML. A URI with route parameters is a template (RFC 6570). The parameter in
   * `tasks://{id}` matches one segment. The parameter in `files://{+path}` also matches slashes.
   * The parameters in `tasks://search{?status,page}` match a query string. The URI must contain
   * every required parameter.
   */
  readonly uri: string;
  /** Name in the list. @default `ControllerName.methodName` */
  readonly name?: string;
  /** Display name. @default none */
  readonly title?: string;
  /** Description sent to clients. @default none */
  readonly description?: string;
  /**
   * Media type in the list. When a client reads the resource, it receives the media type of the
   * response.
   * @default none
   */
  readonly mimeType?: string;
  /**
   * Completions of the URI's parameters. Each key is a parameter. Each value is the name of a
   * method of this controller, which must be a GET route. The method receives the partial value as
   * `value`. It also receives the known values of other parameters that it declares. The method
   * returns a list of strings.
   * @default none
   */
  readonly complete?: Readonly<Record<string, string>>;
  /** Required OAuth scopes; see `McpToolOptions.scopes`. @default none */
  readonly scopes?: readonly string[];
  /** Tags; see `McpToolOptions.tags`. @default the tags of `@ApiTags` of @nestjs/swagger */
  readonly tags?: readonly string[];
  /** Timeout of a read in milliseconds. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}

/** The options of `@McpResource`, without the options of extensions. */
export type McpCoreResourceOptions = Omit<McpResourceOptions, keyof McpExtensionResourceOptions>;

/** Metadata key of the `@McpResource` options on a method. */
export const MCP_RESOURCE_METADATA = 'fledge:mcp:resource';

/**
 * Publishes a GET route as an MCP resource, or as a resource template if the URI has parameters.
 * Like a tool call, a read runs as a request through the application. Like `@McpTool`, the
 * decorator only records metadata. If the resource cannot be published, startup fails with an
 * `McpError`, such as `NotARouteError`, `ResourceUriError` or `DuplicateResourceError`.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpResource({ uri: 'tasks://{id}', description: 'One task' })
 * find(@Param('id') id: string) {}
 * ```
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return recordOptions('@McpResource', MCP_RESOURCE_METADATA, options);
}

/** Returns the `@McpResource` options of a method, or undefined if it is not decorated. */
export function getMcpResourceMeta(method: Function): McpResourceOptions | undefined {
  return Reflect.getMetadata(MCP_RESOURCE_METADATA, method) as McpResourceOptions | undefined;
}
