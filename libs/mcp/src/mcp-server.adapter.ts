import { IntrospectionRegistry, type IntrospectionSnapshot } from '@fledge/core';
import { PanelSources } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { McpAdapter } from './mcp.adapter.js';
import { type EndpointOptions, MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import type {
  McpEndpointDefinition,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
import { mcpPanelSource } from './mcp-panel.source.js';
import { McpServer } from './mcp.server.js';
import { Mount } from './serve/transport/mount.js';

/** Implements the abstract class `McpAdapter`, which is also the injection token. */
@Injectable()
export class McpServerAdapter extends McpAdapter {
  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly server: McpServer,
    private readonly mount: Mount,
    introspection: IntrospectionRegistry,
    panel: PanelSources,
  ) {
    super();
    panel.register('mcp', () => mcpPanelSource(options, server, mount));
    introspection.register(this);
  }

  getTools(): readonly McpToolDefinition[] {
    return this.server.definitions.tools;
  }

  getResources(): readonly McpResourceDefinition[] {
    return this.server.definitions.resources;
  }

  getPrompts(): readonly McpPromptDefinition[] {
    return this.server.definitions.prompts;
  }

  resourceUpdated(uri: string): void {
    this.mount.resourceUpdated(uri);
  }

  toolsChanged(): void {
    this.server.toolsChanged();
  }

  getEndpoints(): readonly McpEndpointDefinition[] {
    return this.options.endpoints.map(({ path, server }, i) => {
      const catalogue = this.server.catalogues[i];
      return {
        path,
        name: server.name,
        tools: catalogue?.tools.all.map(({ name }) => name) ?? [],
        resources: [...(catalogue?.resources.all ?? []), ...(catalogue?.templates.all ?? [])].map(
          ({ uri }) => uri,
        ),
        prompts: catalogue?.prompts.all.map(({ name }) => name) ?? [],
      };
    });
  }

  get endpointPath(): string {
    return (this.options.endpoints[0] as EndpointOptions).path;
  }

  introspect(): IntrospectionSnapshot {
    const { endpoints, mode } = this.options;
    const { tools, resources, prompts } = this.server.definitions;
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: {
        endpoint: this.endpointPath,
        ...(endpoints.length > 1 && { endpoints: endpoints.map(({ path }) => path) }),
        mode,
        tools: tools.length,
        resources: resources.length,
        prompts: prompts.length,
        maxSessions: endpoints.reduce((sum, { sessions }) => sum + sessions.max, 0),
      },
      metrics: this.server.metrics,
    };
  }
}
