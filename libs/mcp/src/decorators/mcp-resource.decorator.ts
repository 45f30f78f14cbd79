import { SetMetadata } from '@nestjs/common';
import type { McpResourceOptions } from './resource.metadata.js';

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
