import { getMcpToolMeta } from '../decorators/mcp-tool.decorator.js';
import type { Route } from '../discovery/route.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { inputSchemaOf } from '../schema/input-schema.js';
import { outputSchemaOf } from '../schema/output-schema.js';
import { annotationsOf } from './tool-annotations.js';
import { toolDescriptionOf, toolNameOf } from './tool-name.js';
import { toolOutputOf } from './tool-output.js';
import type { Tool } from './tool.js';

/** Makes a tool of a route. What could not be read from the route is told to `warn`. */
export function toolOf(
  route: Route,
  options: ResolvedMcpOptions,
  warn: (warning: string) => void,
): Tool {
  const meta = getMcpToolMeta(route.handler);
  const input = inputSchemaOf(route, meta, warn);
  return {
    kind: 'tool',
    name: toolNameOf(route, meta),
    title: meta?.title,
    description: toolDescriptionOf(route, meta),
    httpMethod: route.verb,
    mountPath: route.path,
    inputSchema: input.schema,
    output: meta?.outputSchema && toolOutputOf(outputSchemaOf(meta.outputSchema, route.label)),
    annotations: annotationsOf(route.verb, meta?.annotations),
    content: meta?.content ?? 'body',
    route,
    input,
    timeoutMs: meta?.timeoutMs ?? options.limits.timeoutMs,
    scopes: meta?.scopes ?? [],
  };
}
