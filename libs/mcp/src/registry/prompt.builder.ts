import type { McpPromptOptions } from '../decorators/prompt.metadata.js';
import type { Route } from '../discovery/route.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { inputSchemaOf } from '../schema/input-schema.js';
import { completionsOf, type RouteLookup } from './completion.js';
import { type Prompt, promptArgumentsOf } from './prompt.js';

/** Makes a prompt of a route. */
export function promptOf(
  route: Route,
  meta: McpPromptOptions,
  options: ResolvedMcpOptions,
  routeOf: RouteLookup,
  warn: (warning: string) => void,
): Prompt {
  const input = inputSchemaOf(route, undefined, warn);
  const promptArguments = promptArgumentsOf({ input });
  const names = promptArguments.map(({ name }) => name);
  return {
    kind: 'prompt',
    name: meta.name ?? route.label,
    title: meta.title,
    description: meta.description,
    httpMethod: route.verb,
    mountPath: route.path,
    arguments: promptArguments,
    completions: completionsOf(route, meta.complete, names, routeOf, warn),
    route,
    input,
    timeoutMs: meta.timeoutMs ?? options.limits.timeoutMs,
    scopes: meta.scopes ?? [],
  };
}
