import { isObject } from '@fledge-internal/options';
import type { McpPromptArgument, McpPromptDefinition } from '../../mcp.definitions.js';
import { callableOf, type CatalogueSetup, type Operation } from './operation.js';
import { type Completions, completionsOf } from './completion.js';
import type { McpPromptOptions } from '../decorators/mcp-prompt.decorator.js';
import type { Route } from '../routes/route.js';
import type { ListEntry } from './published-list.js';
import { tagsOf } from './route-documentation.js';

/** A route published as a prompt. */
export interface Prompt extends Omit<McpPromptDefinition, 'tags'>, Operation {
  readonly kind: 'prompt';
  readonly title: string | undefined;
  /** The operations that complete arguments, by argument name. */
  readonly completions: Completions;
  readonly entry: ListEntry;
}

/**
 * Returns the arguments of a prompt: the path, query and body arguments of its route. Deeply
 * frozen.
 */
function promptArgumentsOf({ input }: Pick<Operation, 'input'>): readonly McpPromptArgument[] {
  const { properties, required } = input.schema;
  const all = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const description = isObject(schema) ? schema['description'] : undefined;
    return Object.freeze({
      name,
      ...(typeof description === 'string' && { description }),
      required: Array.isArray(required) && required.includes(name),
    });
  });
  return Object.freeze(all);
}

/** Returns a prompt as an entry of `prompts/list` (MCP 2025-11-25, `Prompt`). */
export function listedPrompt(prompt: Prompt): ListEntry {
  const { name, title, description } = prompt;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    arguments: prompt.arguments,
    ...prompt.entry,
  };
}

/**
 * Builds a prompt from a route.
 * @throws CompletionError if `complete` names an unknown argument, or if it names a method that is
 * not a GET route
 */
export function promptOf(route: Route, meta: McpPromptOptions, setup: CatalogueSetup): Prompt {
  const callable = callableOf(route, setup);
  const promptArguments = promptArgumentsOf(callable);
  const names = promptArguments.map(({ name }) => name);
  return {
    ...callable,
    kind: 'prompt',
    name: meta.name ?? route.label,
    title: meta.title,
    description: meta.description,
    httpMethod: route.verb,
    mountPath: route.path,
    tags: meta.tags ?? tagsOf(route),
    arguments: promptArguments,
    completions: completionsOf(route, meta.complete, names, setup),
    timeoutMs: meta.timeoutMs ?? setup.options.limits.timeoutMs,
    scopes: meta.scopes ?? [],
    entry: setup.extensions.extendPrompt({ route }, meta).entry,
  };
}
