import type {
  PanelCatalogue,
  PanelPrompt,
  PanelResource,
  PanelResourceTemplate,
  PanelSourceOf,
  PanelTool,
} from '@fledge/core/packages';
import type { Prompt } from './catalogue/prompt.js';
import type { Resource } from './catalogue/resource.js';
import type { Tool } from './catalogue/tool.js';
import type { ResolvedMcpOptions } from './mcp.defaults.js';
import type { McpServer } from './mcp.server.js';
import type { Mount } from './transport/mount.js';

/** What the MCP server contributes to @fledge/panel. */
export function mcpPanelSource(
  options: ResolvedMcpOptions,
  server: McpServer,
  mount: Mount,
): PanelSourceOf['mcp'] {
  let known: PanelCatalogue | undefined;
  return {
    catalogue: () => {
      if (known) return known;
      const catalogue = catalogueOf(options, server);
      // It is fixed at boot.
      if (server.catalogue) known = catalogue;
      return catalogue;
    },
    sessions: () => mount.sessions,
    endSession: (key) => mount.endSession(key),
  };
}

function catalogueOf(
  { name, version, transport, endpoint }: ResolvedMcpOptions,
  { catalogue }: McpServer,
): PanelCatalogue {
  return {
    ...(transport === 'http' && { endpointPath: endpoint }),
    server: { name, version },
    tools: catalogue?.tools.all.map(shownTool) ?? [],
    resources: catalogue?.resources.all.map(shownResource) ?? [],
    templates: catalogue?.templates.all.map(shownTemplate) ?? [],
    prompts: catalogue?.prompts.all.map(shownPrompt) ?? [],
  };
}

function shownTool(tool: Tool): PanelTool {
  const { name, title, description, inputSchema, output, annotations, route, input } = tool;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(output && { outputSchema: output.schema }),
    annotations: { ...annotations },
    verb: route.verb,
    path: route.path,
    handler: route.label,
    request: {
      places: input.places,
      ...(input.rest !== undefined && { rest: input.rest }),
      body: input.body,
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
