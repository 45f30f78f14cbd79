import {
  DuplicatePromptError,
  DuplicateResourceError,
  DuplicateToolError,
} from '../../mcp.errors.js';
import type { McpRequest } from '../../options/auth-options.js';
import type { Operation } from './operation.js';
import { listedPrompt, type Prompt } from './prompt.js';
import { type Kind, type ListOptions, PublishedList } from './published-list.js';
import { listedResource, type Resource } from './resource.js';
import { listedTool, type Tool } from './tool.js';

/** A requested resource, and the parameter values from its URI. */
export interface FoundResource {
  readonly resource: Resource;
  readonly parameters: Readonly<Record<string, string | readonly string[]>>;
}

/** The published tools, resources and prompts of one endpoint or of all endpoints. */
export interface Published {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

/** Everything an endpoint publishes. Fixed at startup, and filtered for each caller. */
export class Catalogue {
  readonly tools: PublishedList<Tool>;
  readonly resources: PublishedList<Resource>;
  readonly templates: PublishedList<Resource>;
  readonly prompts: PublishedList<Prompt>;

  /** @throws McpError if two items of one kind have the same name or URI */
  constructor({ tools, resources, prompts }: Published, options: ListOptions) {
    this.tools = new PublishedList(TOOLS, tools, options);
    this.resources = new PublishedList(
      RESOURCES,
      resources.filter(({ template }) => !template),
      options,
    );
    this.templates = new PublishedList(
      TEMPLATES,
      resources.filter(({ template }) => template),
      options,
    );
    this.prompts = new PublishedList(PROMPTS, prompts, options);
  }

  /** All operations that can be called, including completions. */
  get operations(): readonly Operation[] {
    return operationsOf({
      tools: this.tools.all,
      resources: [...this.resources.all, ...this.templates.all],
      prompts: this.prompts.all,
    });
  }

  /**
   * Finds a visible resource: the resource with this URI, or else the first template that matches
   * it.
   */
  async findResource(uri: string, request: McpRequest): Promise<FoundResource | undefined> {
    const exact = await this.resources.find(uri, request);
    if (exact) return { resource: exact, parameters: {} };
    for (const resource of this.templates.all) {
      const parameters = resource.template?.match(uri);
      if (parameters && (await this.templates.isVisible(resource, request))) {
        return { resource, parameters };
      }
    }
    return undefined;
  }
}

/** Returns all operations that can be called, including completions. */
export function operationsOf({ tools, resources, prompts }: Published): readonly Operation[] {
  const completed = [...resources, ...prompts];
  return [
    ...tools,
    ...completed,
    ...completed.flatMap(({ completions }) => [...completions.values()]),
  ];
}

const TOOLS: Kind<Tool> = {
  member: 'tools',
  keyOf: ({ name }) => name,
  listed: listedTool,
  duplicate: (...facts) => new DuplicateToolError(...facts),
};

const RESOURCES: Kind<Resource> = {
  member: 'resources',
  keyOf: ({ uri }) => uri,
  listed: listedResource,
  duplicate: (...facts) => new DuplicateResourceError(...facts),
};

const TEMPLATES: Kind<Resource> = { ...RESOURCES, member: 'resourceTemplates' };

const PROMPTS: Kind<Prompt> = {
  member: 'prompts',
  keyOf: ({ name }) => name,
  listed: listedPrompt,
  duplicate: (...facts) => new DuplicatePromptError(...facts),
};
