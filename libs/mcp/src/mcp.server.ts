import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { createArgumentValidator } from './arguments/argument-validator.js';
import { dispatcherFor } from './calls/dispatcher.js';
import { catalogueOf } from './catalogue/catalogue-builder.js';
import type { Catalogue } from './catalogue/catalogue.js';
import {
  definitionsOf,
  NOTHING_PUBLISHED,
  type PublishedDefinitions,
} from './catalogue/published-definitions.js';
import { MCP_OPTIONS, type ResolvedMcpOptions } from './mcp.defaults.js';
import { McpOptionError } from './mcp.errors.js';
import { Operations } from './operations/operations.js';
import { HostApplication } from './routes/host-application.js';
import { RouteExplorer } from './routes/route-explorer.js';
import { renamesOf } from './schema/input-schema.js';
import { Mount } from './transport/mount.js';

/** Starts the MCP server at boot: collects the routes, builds the catalogue and opens the mount. */
@Injectable()
export class McpServer implements OnModuleInit {
  private readonly logger = new Logger('McpModule');
  private published = NOTHING_PUBLISHED;
  private found: Catalogue | undefined;
  private operations: Operations | undefined;

  constructor(
    @Inject(MCP_OPTIONS) private readonly options: ResolvedMcpOptions,
    private readonly application: HostApplication,
    private readonly routes: RouteExplorer,
    private readonly mount: Mount,
  ) {}

  /** The published tools, resources and prompts. Empty before boot. */
  get definitions(): PublishedDefinitions {
    return this.published;
  }

  /** Undefined before boot. */
  get catalogue(): Catalogue | undefined {
    return this.found;
  }

  /** Tool calls since boot, how many of them failed, and open sessions. */
  get metrics(): Readonly<Record<string, number>> {
    const calls = this.operations?.tools.metrics ?? { calls: 0, errors: 0 };
    return { ...calls, sessions: this.mount.openSessions };
  }

  async onModuleInit(): Promise<void> {
    const { options } = this;
    const { adapter, config, callerHeaders, globalPrefix, queryParser } = this.application;
    const validatorOf = await createArgumentValidator();
    const catalogue = catalogueOf(this.routes.explore(), {
      options,
      validatorOf,
      globalPrefix,
      queryParser,
      warn: (warning) => this.logger.warn(warning),
    });
    this.found = catalogue;
    this.published = definitionsOf(catalogue);
    this.tellRenames(catalogue);
    this.warnOfOpenDoor();
    if (options.transport === 'http' && options.auth === undefined) refuseScopes(catalogue);

    if (!adapter) return;
    const dispatcher = dispatcherFor(
      { adapter, config, callerHeaders },
      catalogue.operations,
      options,
    );
    const operations = (this.operations = new Operations(catalogue, dispatcher, validatorOf));
    await this.mount.open(operations);
    this.logger.log(`${inventoryOf(this.published)} at ${this.mount.place}`);
  }

  private tellRenames({ operations }: Catalogue): void {
    for (const { route, input } of operations) {
      for (const rename of renamesOf(input)) this.logger.debug(`${route.label}: ${rename}.`);
    }
  }

  private warnOfOpenDoor(): void {
    const { mode, auth } = this.options;
    if (mode !== 'auto' || auth !== undefined) return;
    this.logger.warn(
      "mode: 'auto' without auth: every client that reaches the endpoint can call every exposed " +
        'route, as far as the guards of the route allow. Set McpModule.forRoot({ auth }).',
    );
  }
}

/** Text for the log, such as `2 tools, 1 resource`. */
function inventoryOf({ tools, resources, prompts }: PublishedDefinitions): string {
  const counts = [
    [tools.length, 'tool'],
    [resources.length, 'resource'],
    [prompts.length, 'prompt'],
  ] as const;
  return counts
    .filter(([count, kind]) => count > 0 || kind === 'tool')
    .map(([count, kind]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
    .join(', ');
}

/**
 * Without `auth` an operation with scopes cannot be called, because the caller's scopes come from its
 * token.
 */
function refuseScopes({ operations }: Catalogue): void {
  const scoped = operations.find(({ scopes }) => scopes.length > 0);
  if (!scoped) return;
  throw new McpOptionError(
    `${scoped.route.label} asks for scopes, but there is no auth to tell a caller's. Set ` +
      `McpModule.forRoot({ auth: { type: 'bearer', validate } }) and return { id, scopes } from validate.`,
  );
}
