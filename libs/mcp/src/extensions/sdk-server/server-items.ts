import type { AddedEntry, Definition, ListEntry } from '../../publish/catalogue/published-list.js';
import { type UriTemplate, uriTemplateOf } from '../../publish/catalogue/uri-template.js';
import { ErrorCode, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ReadResult } from '../../serve/methods/answer.js';
import type { EndpointExtension } from '../../serve/methods/extension.js';
import type {
  ListName,
  LocalPrompt,
  LocalResource,
  LocalTemplate,
  LocalTool,
  LocalToolDefinition,
} from '../../serve/methods/local-items.js';
import type { ToolResult } from '../../serve/results/tool-result.js';
import type { ServerConnection } from './server-connection.js';

/** An entry of any list of a server (MCP 2025-11-25). */
interface ListedEntry extends ListEntry {
  readonly name: string;
  readonly description?: string;
}

interface PromptEntry extends ListedEntry {
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

interface ResourceEntry extends ListedEntry {
  readonly uri: string;
}

interface TemplateEntry extends ListedEntry {
  readonly uriTemplate: string;
}

/** A resource template and the matcher for its URIs. */
interface ServerTemplate extends LocalTemplate {
  readonly template: UriTemplate;
}

/** The tools, resources and prompts of one server. The lists change only when they are reloaded. */
export class ServerItems {
  tools: readonly LocalTool[] = [];
  prompts: readonly LocalPrompt[] = [];
  resources: NonNullable<EndpointExtension['resources']> = [];
  templates: readonly ServerTemplate[] = [];

  /** @param publishes decides which tools are published */
  constructor(
    readonly connection: ServerConnection,
    private readonly scopes: readonly string[],
    private readonly publishes: (tool: LocalToolDefinition) => boolean,
  ) {}

  /** Reads a list from the server again. */
  async reload(list: ListName): Promise<void> {
    const { connection } = this;
    switch (list) {
      case 'tools':
        this.tools = (await connection.list<LocalToolDefinition>('tools/list', 'tools'))
          .filter(this.publishes)
          .map((each) => this.tool(each));
        return;
      case 'prompts':
        this.prompts = (await connection.list<PromptEntry>('prompts/list', 'prompts')).map((each) =>
          this.prompt(each),
        );
        return;
      case 'resources':
        this.resources = (await connection.list<ResourceEntry>('resources/list', 'resources')).map(
          (entry) => ({
            key: entry.uri,
            entry,
            definition: resourceDefinition(entry, entry.uri),
          }),
        );
        this.templates = (
          await connection.list<TemplateEntry>('resources/templates/list', 'resourceTemplates')
        ).map((each) => this.template(each));
    }
  }

  /** Returns the names or URIs in a list. */
  keysOf(list: ListName): readonly string[] {
    switch (list) {
      case 'tools':
        return this.tools.map(({ definition }) => definition.name);
      case 'prompts':
        return this.prompts.map(({ key }) => key);
      case 'resources':
        return [...this.resources, ...this.templates].map(({ key }) => key);
    }
  }

  leaveOut(list: ListName, keys: readonly string[]): void {
    const isKept = ({ key }: { readonly key: string }) => !keys.includes(key);
    if (list === 'tools')
      this.tools = this.tools.filter((tool) => isKept({ key: tool.definition.name }));
    if (list === 'prompts') this.prompts = this.prompts.filter(isKept);
    if (list !== 'resources') return;
    this.resources = this.resources.filter(isKept);
    this.templates = this.templates.filter(isKept);
  }

  /** Finds the listed resource with a URI. */
  findListed(uri: string): AddedEntry | undefined {
    return this.resources.find(({ key }) => key === uri);
  }

  /** Returns the first template that matches a URI. */
  findTemplate(uri: string): AddedEntry | undefined {
    return this.templates.find(({ template }) => template.match(uri));
  }

  /** Builds a resource that reads from the server. */
  resource(uri: string): LocalResource {
    return {
      scopes: this.scopes,
      read: async (peer) => {
        try {
          const result = await this.connection.request('resources/read', { uri }, peer);
          return result as unknown as ReadResult;
        } catch (error) {
          if (isUnknownResource(error)) return undefined;
          throw error;
        }
      },
    };
  }

  private tool(entry: LocalToolDefinition): LocalTool {
    const { name, description = '', inputSchema } = entry;
    return {
      definition: entry,
      visibleAs: { name, description, inputSchema, httpMethod: 'POST', mountPath: '' },
      scopes: this.scopes,
      isChecked: false,
      run: async (args, peer) => {
        const params = { name, arguments: args };
        const result = await this.connection.request('tools/call', params, peer);
        return { isError: false, ...result } as unknown as ToolResult;
      },
    };
  }

  private prompt(entry: PromptEntry): LocalPrompt {
    const { name, description = '', arguments: args = [] } = entry;
    return {
      key: name,
      entry,
      definition: {
        name,
        description,
        httpMethod: 'POST',
        mountPath: '',
        arguments: args.map(({ required = false, ...rest }) => ({ ...rest, required })),
      },
      scopes: this.scopes,
      get: (given, peer) =>
        this.connection.request('prompts/get', { name, arguments: given }, peer),
      complete: (params, peer) => this.connection.request('completion/complete', params, peer),
    };
  }

  /**
   * @throws Error if the template cannot be matched against URIs. `visible` could not hide the
   * resources of such a template
   */
  private template(entry: TemplateEntry): ServerTemplate {
    const { uriTemplate: uri } = entry;
    const template = uriTemplateOf(uri);
    if (!template || 'refused' in template) {
      const fault = template?.refused ?? 'has no parameter';
      throw new Error(`The resource template ${JSON.stringify(uri)} ${fault}`);
    }
    return {
      key: uri,
      template,
      entry,
      definition: resourceDefinition(entry, uri),
      scopes: this.scopes,
      complete: (params, peer) => this.connection.request('completion/complete', params, peer),
    };
  }
}

function resourceDefinition({ name, description = '' }: ListedEntry, uri: string): Definition {
  return {
    name,
    description,
    uri,
    httpMethod: 'GET',
    mountPath: '',
  };
}

/** Returns true for the error of an unknown resource. SDK 1.x reports it as "invalid params". */
function isUnknownResource(error: unknown): boolean {
  if (!(error instanceof RequestFault)) return false;
  const { code, message } = error;
  return (
    code === ErrorCode.ResourceNotFound ||
    (code === ErrorCode.InvalidParams && /not found/i.test(message))
  );
}
