import type {
  PanelCatalogue,
  PanelPrompt,
  PanelResource,
  PanelResourceTemplate,
  PanelSourceOf,
  PanelTool,
} from '@fledge/core/packages';
import type { Catalogue } from './publish/catalogue/catalogue.js';
import type { Prompt } from './publish/catalogue/prompt.js';
import type { Resource } from './publish/catalogue/resource.js';
import { type Tool, toolEntry } from './publish/catalogue/tool.js';
import { checkServers } from './check/check-server.js';
import type { EndpointOptions, ResolvedMcpOptions } from './mcp.defaults.js';
import type { McpServer } from './mcp.server.js';
import type { Mount } from './serve/transport/mount.js';

/** Returns the source of the MCP data that @fledge/panel shows. */
export function mcpPanelSource(
  options: ResolvedMcpOptions,
  server: McpServer,
  mount: Mount,
): PanelSourceOf['mcp'] {
  let known: PanelCatalogue | undefined;
  return {
    catalogue: () => {
      if (known) return known;
      const catalogue = catalogueOf(options, server.catalogues);
      // The result can be cached: catalogues do not change after startup.
      if (server.catalogues.length > 0) known = catalogue;
      return catalogue;
    },
    sessions: () => mount.sessions,
    endSession: (key) => mount.endSession(key),
  };
}

/**
 * Returns everything that the endpoints publish. If several endpoints publish the same item, the
 * item appears only for the first of them.
 */
function catalogueOf(
  { transport, endpoints }: ResolvedMcpOptions,
  catalogues: readonly Catalogue[],
): PanelCatalogue {
  const [first] = endpoints as readonly [EndpointOptions];
  const paths = endpoints.map(({ path }) => (transport === 'http' ? path : undefined));
  const { name, version } = first.server;
  const shown = <Item extends object, Shown>(
    itemsOf: (catalogue: Catalogue) => readonly Item[],
    shownItem: (item: Item) => Shown,
  ) => {
    const endpointOf = new Map<Item, string | undefined>();
    for (const [i, catalogue] of catalogues.entries()) {
      for (const item of itemsOf(catalogue)) {
        if (!endpointOf.has(item)) endpointOf.set(item, paths[i]);
      }
    }
    return [...endpointOf].map(([item, path]) => ({
      ...shownItem(item),
      ...(path !== undefined && { endpoint: path }),
    }));
  };
  return {
    ...(paths[0] !== undefined && { endpointPath: paths[0] }),
    server: { name, version },
    tools: shown(({ tools }) => tools.all, shownTool),
    resources: shown(({ resources }) => resources.all, shownResource),
    templates: shown(({ templates }) => templates.all, shownTemplate),
    prompts: shown(({ prompts }) => prompts.all, shownPrompt),
    findings: checkServers(
      catalogues.map(({ tools }, i) => {
        const { server, instructions } = endpoints[i] as EndpointOptions;
        const entries = tools.all.map((tool) => toolEntry(tool, { structured: 'json' }));
        return { name: server.name, instructions, tools: entries };
      }),
    ),
  };
}

function shownTool(tool: Tool): PanelTool {
  const { name, title, description, inputSchema, output, annotations, route, input, source } = tool;
  return {
    name,
    title,
    description,
    inputSchema,
    ...(output && { outputSchema: output.json.schema }),
    annotations: { title, ...annotations },
    verb: route.verb,
    path: route.path,
    handler: route.label,
    request: {
      places: input.places,
      ...(input.rest !== undefined && { rest: input.rest }),
      body: input.body,
      ...(source && { members: source.request.members ?? {} }),
      ...(source?.request.argumentsIn && { argumentsIn: source.request.argumentsIn }),
    },
  };
}

function shownResource(resource: Resource): PanelResource {
  return { uri: resource.uri, ...resourceFacts(resource) };
}

function shownTemplate(resource: Resource): PanelResourceTemplate {
  return { uriTemplate: resource.uri, ...resourceFacts(resource) };
}

function resourceFacts({ name, description, mimeType, route }: Resource) {
  return {
    name,
    description,
    ...(mimeType !== undefined && { mimeType }),
    verb: route.verb,
    path: route.path,
  };
}

function shownPrompt({ name, description, arguments: args, route }: Prompt): PanelPrompt {
  return { name, description, arguments: args, verb: route.verb, path: route.path };
}
