import { IntrospectionRegistry, type IntrospectionSnapshot } from '@fledge/core';
import { PanelSources } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { McpAdapter } from './mcp.adapter.js';
import { MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import type {
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
import { mcpPanelSource } from './mcp-panel.source.js';
import { McpServer } from './mcp.server.js';
import { Mount } from './transport/mount.js';

/** The implementation of `McpAdapter`. `mcp-server.module.ts` provides it under the `McpAdapter` token. */
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

  get endpointPath(): string {
    return this.options.endpoint;
  }

  introspect(): IntrospectionSnapshot {
    const { endpoint, mode } = this.options;
    const { tools, resources, prompts } = this.server.definitions;
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: {
        endpoint,
        mode,
        tools: tools.length,
        resources: resources.length,
        prompts: prompts.length,
        maxSessions: this.options.sessions.max,
      },
      metrics: this.server.metrics,
    };
  }
}
