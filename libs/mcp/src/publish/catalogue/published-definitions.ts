import type {
  McpDefinition,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from '../../mcp.definitions.js';
import type { Published } from './catalogue.js';

/** The definitions of all published items. The application can read them. Deeply frozen. */
export interface PublishedDefinitions {
  readonly tools: readonly McpToolDefinition[];
  readonly resources: readonly McpResourceDefinition[];
  readonly prompts: readonly McpPromptDefinition[];
}

/** The definitions before startup: empty. */
export const NOTHING_PUBLISHED: PublishedDefinitions = { tools: [], resources: [], prompts: [] };

export function definitionsOf({ tools, resources, prompts }: Published): PublishedDefinitions {
  return {
    tools: Object.freeze(
      tools.map((tool) => definitionOf(tool, { inputSchema: tool.inputSchema })),
    ),
    resources: Object.freeze(
      // Templates come after resources.
      resources
        .toSorted((a, b) => Number(a.template !== undefined) - Number(b.template !== undefined))
        .map((resource) => definitionOf(resource, { uri: resource.uri })),
    ),
    prompts: Object.freeze(
      prompts.map((prompt) => definitionOf(prompt, { arguments: prompt.arguments })),
    ),
  };
}

function definitionOf<Own extends object>(
  { name, description, httpMethod, mountPath, tags = [] }: McpDefinition,
  own: Own,
): McpDefinition & Own {
  const shared: McpDefinition = {
    name,
    description,
    httpMethod,
    mountPath,
    ...(tags.length > 0 && { tags }),
  };
  const definition = Object.assign(shared, own);
  Object.freeze(definition);
  return definition;
}
