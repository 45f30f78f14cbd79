import {
  type Introspectable,
  IntrospectionRegistry,
  type IntrospectionSnapshot,
} from '@fledge/core';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { isExposed } from './discovery/exposure.js';
import { RouteExplorer } from './discovery/route.explorer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import type { ResolvedMcpOptions } from './mcp.defaults.js';
import { MCP_OPTIONS } from './mcp.tokens.js';
import { ToolCaller } from './protocol/tool.caller.js';
import { toolOf } from './registry/tool.builder.js';
import type { McpToolDefinition } from './registry/tool.js';
import { ToolRegistry } from './registry/tool.registry.js';
import { McpEndpoint } from './transport/endpoint.js';

/** The MCP server of the application: `app.get(McpAdapter)`. */
@Injectable()
export class McpAdapter implements OnModuleInit, Introspectable {
  readonly name = 'McpAdapter';
  private readonly logger = new Logger('McpModule');
  private tools: readonly McpToolDefinition[] = [];

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly routes: RouteExplorer,
    private readonly dispatcher: Dispatcher,
    private readonly caller: ToolCaller,
    private readonly endpoint: McpEndpoint,
    private readonly config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    introspection: IntrospectionRegistry,
  ) {
    introspection.register(this);
  }

  /** The tools of the application, in the order of its routes. Empty before `app.init()`. */
  getTools(): readonly McpToolDefinition[] {
    return this.tools;
  }

  /** Path of the endpoint: `/_mcp/messages`. */
  get endpointPath(): string {
    return this.options.endpoint;
  }

  introspect(): IntrospectionSnapshot {
    const { endpoint, mode } = this.options;
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: { endpoint, mode, tools: this.tools.length },
      metrics: { ...this.caller.metrics, sessions: this.endpoint.openSessions },
    };
  }

  async onModuleInit(): Promise<void> {
    const { options } = this;
    const prefix = this.config.getGlobalPrefix();
    const globalPrefix = prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`;
    const registry = new ToolRegistry(
      this.routes
        .explore()
        .filter((route) => isExposed(route, { ...options, globalPrefix }))
        .map((route) => toolOf(route, options, (warning) => this.logger.warn(warning))),
    );
    this.tools = Object.freeze(registry.all.map(definitionOf));

    if (options.mode === 'auto' && options.auth === undefined) {
      this.logger.warn(
        "mode: 'auto' without auth: every exposed route can be called by whoever reaches the " +
          'endpoint, as far as its own guards allow. Set McpModule.forRoot({ auth }).',
      );
    }

    // A standalone application context has no server that could answer.
    if (!this.adapterHost.httpAdapter) return;
    this.dispatcher.prepare(registry.all, options);
    await this.caller.prepare(registry);
    if (options.transport === 'http') await this.endpoint.open(options);
    const place = options.transport === 'http' ? options.endpoint : 'stdin and stdout';
    this.logger.log(`${this.tools.length} tools at ${place}`);
  }
}

function definitionOf(tool: McpToolDefinition): McpToolDefinition {
  const { name, description, httpMethod, mountPath, inputSchema } = tool;
  return Object.freeze({ name, description, httpMethod, mountPath, inputSchema });
}
