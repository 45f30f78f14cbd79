import { SetMetadata } from '@nestjs/common';

/** Options of `@McpResource`. */
export interface McpResourceOptions {
  /**
   * URI of the resource: `config://app`. With parameters of the route it is a template (RFC 6570):
   * `tasks://{id}` takes one segment, `files://{+path}` the rest, `tasks://search{?status,page}` a query.
   */
  readonly uri: string;
  /** Name in the list. @default `ControllerName.methodName` */
  readonly name?: string;
  /** A name for people. */
  readonly title?: string;
  /** Told to clients. */
  readonly description?: string;
  /** Media type told in the list. A read tells the one of the response. @default none */
  readonly mimeType?: string;
  /**
   * Completions of the URI's parameters: for each the name of a GET route method of the same
   * controller, which is called with `value`, what was typed so far, beside the parameters it
   * declares, and answers a list of texts. @default none
   */
  readonly complete?: Readonly<Record<string, string>>;
  /** As in `@McpTool`. */
  readonly scopes?: readonly string[];
  /** Milliseconds a read may take. @default `limits.timeoutMs` of the module */
  readonly timeoutMs?: number;
}

const MCP_RESOURCE_METADATA = 'fledge:mcp:resource';

/**
 * Publishes a GET route as an MCP resource, or as a resource template where the URI has parameters.
 * A read is a request, as a tool call is. Only records, like `@McpTool`.
 *
 * @example
 * ```ts
 * @Get(':id')
 * @McpResource({ uri: 'tasks://{id}', description: 'One task' })
 * find(@Param('id') id: string) {}
 * ```
 */
export function McpResource(options: McpResourceOptions): MethodDecorator {
  return SetMetadata(MCP_RESOURCE_METADATA, options);
}

/** The options `@McpResource` recorded on a method; undefined where it carries none. */
export function getMcpResourceMeta(method: Function): McpResourceOptions | undefined {
  return Reflect.getMetadata(MCP_RESOURCE_METADATA, method) as McpResourceOptions | undefined;
}
