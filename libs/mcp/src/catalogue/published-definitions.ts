import type {
  McpDefinition,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from '../mcp.definitions.js';
import type { Catalogue } from './catalogue.js';

/** Definitions of everything published, for the application. Deeply frozen. */
export interface PublishedDefinitions {
  readonly tools: readonly McpToolDefinition[];
  readonly resources: readonly McpResourceDefinition[];
  readonly prompts: readonly McpPromptDefinition[];
}

/** The definitions before boot. */
export const NOTHING_PUBLISHED: PublishedDefinitions = { tools: [], resources: [], prompts: [] };

export function definitionsOf(catalogue: Catalogue): PublishedDefinitions {
  const { tools, resources, templates, prompts } = catalogue;
  return {
    tools: Object.freeze(
      tools.all.map((tool) => definitionOf(tool, { inputSchema: tool.inputSchema })),
    ),
    resources: Object.freeze(
      [...resources.all, ...templates.all].map((resource) =>
        definitionOf(resource, { uri: resource.uri }),
      ),
    ),
    prompts: Object.freeze(
      prompts.all.map((prompt) => definitionOf(prompt, { arguments: prompt.arguments })),
    ),
  };
}

function definitionOf<Own extends object>(
  { name, description, httpMethod, mountPath }: McpDefinition,
  own: Own,
): McpDefinition & Own {
  return Object.freeze({ name, description, httpMethod, mountPath, ...own });
}
