import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { createArgumentValidator } from './arguments/argument-validator.js';
import { dispatcherFor } from './calls/dispatcher.js';
import { cataloguesOf, publishedOf } from './catalogue/catalogue-builder.js';
import { type Catalogue, operationsOf } from './catalogue/catalogue.js';
import type { Operation } from './catalogue/operation.js';
import {
  definitionsOf,
  NOTHING_PUBLISHED,
  type PublishedDefinitions,
} from './catalogue/published-definitions.js';
import { readPages } from './catalogue/page-file.js';
import { toolsOfSources } from './catalogue/source-tool.js';
import { type EndpointOptions, MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import { McpOptionError } from './mcp.errors.js';
import { Operations } from './operations/operations.js';
import { HostApplication } from './routes/host-application.js';
import type { Route } from './routes/route.js';
import { otherMethodsText } from './routes/other-methods.js';
import { RouteExplorer } from './routes/route-explorer.js';
import { warnOfPatterns } from './routes/exclude-patterns.js';
import { shadowedRoutes } from './routes/shadowed-routes.js';
import { renamesOf } from './schema/argument-names.js';
import { ToolSearch } from './search/tool-search.js';
import type { McpSourceTool } from './tool-source.js';
import { Mount } from './transport/mount.js';

/** Starts the MCP server at boot: collects the routes, builds the catalogues and opens the mount. */
@Injectable()
export class McpServer implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger('McpModule');
  private all = NOTHING_PUBLISHED;
  private found: readonly Catalogue[] = [];
  private operations: readonly Operations[] = [];

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly application: HostApplication,
    private readonly routes: RouteExplorer,
    private readonly mount: Mount,
  ) {}

  /** The published tools, resources and prompts. Empty before boot. */
  get definitions(): PublishedDefinitions {
    return this.all;
  }

  /** What each endpoint publishes, in the order of `endpoints`. Empty before boot. */
  get catalogues(): readonly Catalogue[] {
    return this.found;
  }

  /** Tool calls since boot, how many of them failed, and open sessions. */
  get metrics(): Readonly<Record<string, number>> {
    const counts = this.operations.map(({ tools }) => tools.metrics);
    return {
      calls: counts.reduce((sum, { calls }) => sum + calls, 0),
      errors: counts.reduce((sum, { errors }) => sum + errors, 0),
      sessions: this.mount.openSessions,
    };
  }

  async onModuleInit(): Promise<void> {
    if (this.options.toolSources.length === 0) await this.start([]);
  }

  /** Tool sources wait for all modules: `GraphQLModule`, for one, builds its schema in `onModuleInit`. */
  async onApplicationBootstrap(): Promise<void> {
    const { options, application } = this;
    if (options.toolSources.length === 0) return;
    const { modules, globalPrefix } = application;
    const warn = (warning: string) => this.logger.warn(warning);
    await this.start(await toolsOfSources(options.toolSources, { modules, globalPrefix, warn }));
  }

  private async start(sourceTools: readonly McpSourceTool[]): Promise<void> {
    const { options } = this;
    const { adapter, config, callerHeaders, globalPrefix, queryParser } = this.application;
    const validatorOf = await createArgumentValidator();
    const setup = {
      options,
      validatorOf,
      globalPrefix,
      queryParser,
      sourceTools,
      pages: await readPages(options.pages),
      warn: (warning: string) => this.logger.warn(warning),
      log: (fact: string) => this.logger.log(fact),
    };
    const routes = this.routes.explore();
    for (const endpoint of options.endpoints) refuseRoutePath(routes, endpoint);
    const published = publishedOf(routes, setup);
    const operations = operationsOf(published);
    const catalogues = (this.found = cataloguesOf(published, setup));
    this.all = definitionsOf(published);
    this.tellRenames(operations);
    for (const [i, endpoint] of options.endpoints.entries()) {
      this.warnOfOpenDoor(endpoint);
      refuseScopes(catalogues[i] as Catalogue, endpoint);
    }
    const searches = await this.searchesOf(catalogues);

    if (!adapter) return;
    const called = operations.map(({ route }) => route);
    this.warnOfRoutes(called, adapter.getInstance(), setup.warn);
    const dispatcher = dispatcherFor({ adapter, config, callerHeaders }, operations, options);
    this.operations = catalogues.map(
      (each, i) => new Operations(each, dispatcher, validatorOf, searches[i]),
    );
    await this.mount.open(this.operations);
    for (const [i, place] of this.mount.places.entries()) {
      this.logger.log(`${inventoryOf(catalogues[i] as Catalogue)} at ${place}`);
    }
  }

  /** The search of each endpoint that has one. */
  private async searchesOf(
    catalogues: readonly Catalogue[],
  ): Promise<readonly (ToolSearch | undefined)[]> {
    const searches: (ToolSearch | undefined)[] = [];
    for (const [i, { tools }] of catalogues.entries()) {
      const search = this.options.endpoints[i]?.search;
      // The search of the module may pin tools that only some endpoints have.
      const isShared = search?.option === 'search';
      const known = isShared ? this.all.tools.map(({ name }) => name) : undefined;
      searches.push(search && (await ToolSearch.over(tools, search, known)));
    }
    return searches;
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

  private warnOfOpenDoor({ mode, auth, path }: EndpointOptions): void {
    if (mode !== 'auto' || auth !== undefined) return;
    this.logger.warn(
      `mode: 'auto' without auth: every client that reaches ${path} can call every exposed route, ` +
        'as far as the guards of the route allow. Set McpModule.forRoot({ auth }).',
    );
  }
}

/** Text for the log, such as `2 tools, 1 resource`. */
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

/** Endpoints come before the routes, so a route at the path of an endpoint could not be called. */
function refuseRoutePath(routes: readonly Route[], { transport, path }: EndpointOptions): void {
  if (transport !== 'http') return;
  const hidden = routes.find((route) => route.path.toLowerCase() === path.toLowerCase());
  if (!hidden) return;
  throw new McpOptionError(
    `The MCP endpoint ${path} has the path of ${hidden.label}, which could then not be called. Give the ` +
      `endpoint another path: McpModule.forRoot({ endpoints: [{ path: '/mcp/tools' }] }).`,
  );
}

/**
 * Without `auth` an operation with scopes cannot be called, because the caller's scopes come from its
 * token.
 */
function refuseScopes({ operations }: Catalogue, { transport, auth, path }: EndpointOptions): void {
  if (transport !== 'http' || auth !== undefined) return;
  const scoped = operations.find(({ scopes }) => scopes.length > 0);
  if (!scoped) return;
  throw new McpOptionError(
    `${scoped.route.label} asks for scopes, but ${path} has no auth to tell a caller's. Set ` +
      `McpModule.forRoot({ auth: { type: 'bearer', validate } }) and return { id, scopes } from validate.`,
  );
}
