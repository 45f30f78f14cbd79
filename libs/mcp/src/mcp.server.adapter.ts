import { IntrospectionRegistry, type IntrospectionSnapshot } from '@fledge/core';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { RouteExplorer } from './routes/route-explorer.js';
import { Dispatcher } from './calls/dispatcher.js';
import { McpAdapter } from './mcp.adapter.js';
import { MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import { McpOptionError } from './mcp.errors.js';
import type {
  McpDefinition,
  McpPromptDefinition,
  McpResourceDefinition,
  McpToolDefinition,
} from './mcp.definitions.js';
import { Operations } from './operations/operations.js';
import { Catalogue } from './catalogue/catalogue.js';
import { catalogueOf } from './catalogue/catalogue-builder.js';
import { renamesOf } from './schema/input-schema.js';
import { McpEndpoint } from './transport/endpoint.js';

/** `McpAdapter`, at work: `mcp.server.module.ts` provides it under that name. */
@Injectable()
export class McpServerAdapter extends McpAdapter implements OnModuleInit {
  private readonly logger = new Logger('McpModule');
  private tools: readonly McpToolDefinition[] = [];
  private resources: readonly McpResourceDefinition[] = [];
  private prompts: readonly McpPromptDefinition[] = [];

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly routes: RouteExplorer,
    private readonly dispatcher: Dispatcher,
    private readonly service: Operations,
    private readonly endpoint: McpEndpoint,
    private readonly config: ApplicationConfig,
    private readonly adapterHost: HttpAdapterHost,
    introspection: IntrospectionRegistry,
  ) {
    super();
    introspection.register(this);
  }

  getTools(): readonly McpToolDefinition[] {
    return this.tools;
  }

  getResources(): readonly McpResourceDefinition[] {
    return this.resources;
  }

  getPrompts(): readonly McpPromptDefinition[] {
    return this.prompts;
  }

  resourceUpdated(uri: string): void {
    this.endpoint.resourceUpdated(uri);
  }

  get endpointPath(): string {
    return this.options.endpoint;
  }

  introspect(): IntrospectionSnapshot {
    const { endpoint, mode } = this.options;
    return {
      protocolVersion: 1,
      name: this.name,
      kind: 'adapter',
      state: {
        endpoint,
        mode,
        tools: this.tools.length,
        resources: this.resources.length,
        prompts: this.prompts.length,
      },
      metrics: { ...this.service.tools.metrics, sessions: this.endpoint.openSessions },
    };
  }

  async onModuleInit(): Promise<void> {
    const { options } = this;
    const prefix = this.config.getGlobalPrefix();
    const globalPrefix = prefix === '' || prefix.startsWith('/') ? prefix : `/${prefix}`;
    const catalogue = catalogueOf(this.routes.explore(), options, globalPrefix, (warning) =>
      this.logger.warn(warning),
    );
    this.takeDefinitions(catalogue);
    for (const { route, input } of catalogue.operations) {
      for (const rename of renamesOf(input)) this.logger.debug(`${route.label}: ${rename}.`);
    }

    if (options.mode === 'auto' && options.auth === undefined) {
      this.logger.warn(
        "mode: 'auto' without auth: every exposed route can be called by whoever reaches the " +
          'endpoint, as far as its own guards allow. Set McpModule.forRoot({ auth }).',
      );
    }

    if (options.transport === 'http' && options.auth === undefined) refuseScopes(catalogue);

    // A standalone application context has no server that could answer.
    if (!this.adapterHost.httpAdapter) return;
    this.dispatcher.prepare(catalogue.operations, options);
    await this.service.prepare(catalogue);
    if (options.transport === 'http') await this.endpoint.open(options);
    const place = options.transport === 'http' ? options.endpoint : 'stdin and stdout';
    this.logger.log(`${this.inventory()} at ${place}`);
  }

  private inventory(): string {
    const counts = [
      [this.tools.length, 'tool'],
      [this.resources.length, 'resource'],
      [this.prompts.length, 'prompt'],
    ] as const;
    return counts
      .filter(([count, kind]) => count > 0 || kind === 'tool')
      .map(([count, kind]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
      .join(', ');
  }

  private takeDefinitions({ tools, resources, templates, prompts }: Catalogue): void {
    this.tools = Object.freeze(
      tools.all.map((tool) => definitionOf(tool, { inputSchema: tool.inputSchema })),
    );
    this.resources = Object.freeze(
      [...resources.all, ...templates.all].map((resource) =>
        definitionOf(resource, { uri: resource.uri }),
      ),
    );
    this.prompts = Object.freeze(
      prompts.all.map((prompt) => definitionOf(prompt, { arguments: prompt.arguments })),
    );
  }
}

function definitionOf<Own extends object>(
  { name, description, httpMethod, mountPath }: McpDefinition,
  own: Own,
): McpDefinition & Own {
  return Object.freeze({ name, description, httpMethod, mountPath, ...own });
}

/** A tool with scopes can never be called without `auth`: the caller's scopes come from its token. */
function refuseScopes({ operations }: Catalogue): void {
  const scoped = operations.find(({ scopes }) => scopes.length > 0);
  if (!scoped) return;
  throw new McpOptionError(
    `${scoped.route.label} asks for scopes, but there is no auth to tell a caller's. Set ` +
      `McpModule.forRoot({ auth: { type: 'bearer', validate } }) and return { id, scopes } from validate.`,
  );
}
