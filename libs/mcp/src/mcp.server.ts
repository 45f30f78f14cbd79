import { CallObservers } from '@fledge/core/packages';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import {
  type ArgumentValidatorCompiler,
  createArgumentValidator,
} from './publish/arguments/argument-validator.js';
import { dispatcherFor } from './serve/call/dispatcher.js';
import { cataloguesOf, publishedOf } from './publish/catalogue/catalogue-builder.js';
import { PublishingExtensions } from './publish/catalogue/publishing-extension.js';
import { type Catalogue, operationsOf } from './publish/catalogue/catalogue.js';
import type { Operation } from './publish/catalogue/operation.js';
import {
  definitionsOf,
  NOTHING_PUBLISHED,
  type PublishedDefinitions,
} from './publish/catalogue/published-definitions.js';
import { toolsOfSources } from './publish/catalogue/source-tool.js';
import { type EndpointOptions, MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import { McpOptionError } from './mcp.errors.js';
import { createExtensions } from './serve/methods/create-extensions.js';
import { MCP_EXTENSIONS, type McpExtension } from './serve/methods/extension.js';
import { Operations } from './serve/methods/operations.js';
import { HostApplication } from './publish/routes/host-application.js';
import type { Route } from './publish/routes/route.js';
import { otherMethodsText, warnOfPatterns } from './publish/routes/route-warnings.js';
import { shadowedRoutes } from './publish/routes/shadowed-routes.js';
import { RouteExplorer } from './publish/routes/route-explorer.js';
import { renamesOf } from './publish/schema/argument-names.js';
import type { McpSourceTool } from './tool-source.js';
import { Mount } from './serve/transport/mount.js';

/** Starts the MCP server. Collects the routes, builds the catalogues, and mounts the endpoints. */
@Injectable()
export class McpServer implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('McpModule');
  private all = NOTHING_PUBLISHED;
  private found: readonly Catalogue[] = [];
  private readonly operations: Operations[] = [];

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    @Inject(MCP_EXTENSIONS) private readonly extensions: readonly McpExtension[],
    private readonly application: HostApplication,
    private readonly routes: RouteExplorer,
    private readonly mount: Mount,
    private readonly calls: CallObservers,
  ) {}

  /** The published tools, resources and prompts. Empty before startup. */
  get definitions(): PublishedDefinitions {
    return this.all;
  }

  /**
   * The catalogue of each endpoint, in the order of the option `endpoints`. Empty before startup.
   */
  get catalogues(): readonly Catalogue[] {
    return this.found;
  }

  /**
   * The number of tool calls since startup, the number of failed tool calls, and the number of open
   * sessions.
   */
  get metrics(): Readonly<Record<string, number>> {
    const counts = this.operations.map(({ tools }) => tools.metrics);
    return {
      calls: counts.reduce((sum, { calls }) => sum + calls, 0),
      errors: counts.reduce((sum, { errors }) => sum + errors, 0),
      sessions: this.mount.openSessions,
    };
  }

  /** Notifies the clients of each endpoint with `visible` that the tool list may have changed. */
  toolsChanged(): void {
    for (const operations of this.operations) operations.toolsChanged();
  }

  async onModuleInit(): Promise<void> {
    if (this.options.toolSources.length === 0) await this.start([]);
  }

  /**
   * Runs after all modules are initialized. Tool sources may need these modules: for example,
   * `GraphQLModule` builds the schema in `onModuleInit`.
   */
  async onApplicationBootstrap(): Promise<void> {
    const { options, application } = this;
    if (options.toolSources.length === 0) return;
    const { modules, globalPrefix } = application;
    const warn = (warning: string) => this.logger.warn(warning);
    await this.start(await toolsOfSources(options.toolSources, { modules, globalPrefix, warn }));
  }

  private async start(sourceTools: readonly McpSourceTool[]): Promise<void> {
    const { options } = this;
    const { adapter, globalPrefix, queryParser, readsText } = this.application;
    const validatorOf = await createArgumentValidator();
    const setup = {
      options,
      validatorOf,
      globalPrefix,
      queryParser,
      readsText,
      sourceTools,
      extensions: await PublishingExtensions.create(this.extensions, options),
      warn: (warning: string) => this.logger.warn(warning),
      log: (fact: string) => this.logger.log(fact),
    };
    const published = publishedOf(this.routes.explore(), setup);
    const operations = operationsOf(published);
    const catalogues = (this.found = cataloguesOf(published, setup));
    this.all = definitionsOf(published);
    this.tellRenames(operations);
    for (const [i, endpoint] of options.endpoints.entries()) {
      this.warnOfOpenDoor(endpoint);
      const scoped = catalogues[i]?.operations.find(({ scopes }) => scopes.length > 0);
      refuseScopes(scoped?.route.label, endpoint);
    }
    if (!adapter) return;
    try {
      await this.serve(adapter, operations, validatorOf);
    } catch (error) {
      // Nest calls no shutdown hooks if the startup fails.
      await this.mount.close().catch(() => undefined);
      await Promise.allSettled(this.operations.map((each) => each.close()));
      throw error;
    }
  }

  private async serve(
    adapter: AbstractHttpAdapter,
    operations: readonly Operation[],
    validatorOf: ArgumentValidatorCompiler,
  ): Promise<void> {
    const { options } = this;
    const { config, callerHeaders, callerTenants } = this.application;
    const warn = (warning: string) => this.logger.warn(warning);
    const called = operations.map(({ route }) => route);
    this.warnOfRoutes(called, adapter.getInstance(), warn);
    const platform = { adapter, config, callerHeaders, callerTenants };
    const dispatcher = dispatcherFor(platform, operations, options);
    const allNames = this.found.flatMap(({ tools }) => tools.all.map(({ name }) => name));
    for (const [i, catalogue] of this.found.entries()) {
      const endpoint = options.endpoints[i] as EndpointOptions;
      const { extensions, path, selection, auth } = endpoint;
      const { tools, resources, templates, prompts } = catalogue;
      const created = await createExtensions(this.extensions, extensions, {
        path,
        selection,
        tools,
        resources: [...resources.all, ...templates.all],
        prompts: prompts.all,
        allNames,
        calls: this.calls,
        tenants: callerTenants,
        timeoutMs: options.limits.timeoutMs,
        perCaller: options.visible ? 'visible' : auth && 'auth',
        changed: (list) => this.operations[i]?.changed(list),
      });
      this.operations.push(new Operations(catalogue, dispatcher, validatorOf, created, this.calls));
      const scoped = created.find(({ scopes = [] }) => scopes.length > 0);
      refuseScopes(scoped && `McpModule.forRoot({ ${scoped.name} })`, endpoint);
    }
    this.inspect(warn);
    await this.mount.open(this.operations);
    for (const [i, place] of this.mount.places.entries()) {
      this.logger.log(`${inventoryOf(this.found[i] as Catalogue)} at ${place}`);
    }
  }

  /** Passes the tool lists to the extensions, which may return warnings. */
  private inspect(warn: (text: string) => void): void {
    const listing = this.operations.map(({ tools }, i) => {
      const { server, instructions } = this.options.endpoints[i] as EndpointOptions;
      return { name: server.name, instructions, tools: tools.list };
    });
    for (const { name, inspect } of this.extensions) {
      const given = this.options.extensions.get(name);
      if (given) inspect?.(given.options, listing).forEach(warn);
    }
  }

  private warnOfRoutes(called: readonly Route[], instance: unknown, warn: (text: string) => void) {
    const { globalPrefix } = this.application;
    const served = this.routes.served();
    shadowedRoutes(called, instance, served).forEach(warn);
    warnOfPatterns(this.options, { called, served, globalPrefix }, warn);
    const { mode, exclude } = this.options;
    const others = mode === 'auto' && otherMethodsText(served, { exclude, globalPrefix });
    if (others) this.logger.log(others);
  }

  private tellRenames(operations: readonly Operation[]): void {
    for (const { route, input } of operations) {
      for (const rename of renamesOf(input)) this.logger.debug(`${route.label}: ${rename}.`);
    }
  }

  private warnOfOpenDoor({ mode, auth, direct, transport, path }: EndpointOptions): void {
    if (auth !== undefined) return;
    if (direct && transport === 'http') {
      this.logger.warn(
        '`direct` is true and `auth` is not set, so no middleware authenticates the requests to ' +
          `${path}. Set McpModule.forRoot({ auth }), or remove \`direct\`.`,
      );
    }
    if (mode !== 'auto') return;
    this.logger.warn(
      `\`mode\` is 'auto' and \`auth\` is not set, so every client that reaches ${path} can call ` +
        'every published route, unless a guard of the route rejects the call. Set ' +
        'McpModule.forRoot({ auth }).',
    );
  }
}

/** Returns the counts in a catalogue, such as `2 tools, 1 resource`. */
function inventoryOf({ tools, resources, templates, prompts }: Catalogue): string {
  const counts = [
    [tools.all.length, 'tool'],
    [resources.all.length + templates.all.length, 'resource'],
    [prompts.all.length, 'prompt'],
  ] as const;
  return counts
    .filter(([count, kind]) => count > 0 || kind === 'tool')
    .map(([count, kind]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
    .join(', ');
}

/**
 * Scopes come from the caller's token. Without `auth`, nobody could call what requires scopes.
 * @param scoped a route or an option that requires scopes
 * @throws McpOptionError if `auth` is not set
 */
function refuseScopes(
  scoped: string | undefined,
  { transport, auth, path }: EndpointOptions,
): void {
  if (transport !== 'http' || auth !== undefined || scoped === undefined) return;
  throw new McpOptionError(
    `${scoped} requires scopes, but the endpoint ${path} has no \`auth\`, so callers ` +
      `have no scopes. Set McpModule.forRoot({ auth: { type: 'bearer', validate } }) and return ` +
      '{ id, scopes } from `validate`.',
  );
}
