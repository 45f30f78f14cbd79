import { afterInit, type PanelSessions, serveDirectly } from '@fledge/core/packages';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { EndpointOptions } from '../../mcp.defaults.js';
import type { Operations } from '../methods/operations.js';
import type { HostApplication } from '../../publish/routes/host-application.js';
import type { RouteExplorer } from '../../publish/routes/route-explorer.js';
import { refuseHiddenRoutes } from '../../publish/routes/shadowed-routes.js';
import { McpEndpoint } from './endpoint.js';
import { mountOnFastify } from './fastify-mount.js';
import { Mount } from './mount.js';
import { metadataHandlers } from './resource-metadata.js';
import type { MountedHandler, MountedHandlers } from './body-reader.js';

/**
 * Adds the endpoints and their metadata documents to the application. The endpoints run after
 * everything that `main.ts` added (CORS, helmet, middleware). The endpoints run before Nest's body
 * parser. That parser would reject malformed and large messages with another response.
 * `test/endpoint.spec.ts` fails if this order changes.
 */
export class HttpMount extends Mount {
  readonly places: readonly string[];
  private readonly endpoints: readonly McpEndpoint[];
  private readonly handlers: MountedHandlers;
  /** For each endpoint, the scopes of everything that the endpoint publishes. */
  private scopes: readonly (readonly string[])[] = [];

  constructor(
    private readonly options: readonly EndpointOptions[],
    application: HostApplication,
    private readonly routes: RouteExplorer,
  ) {
    super();
    this.places = options.map(({ path }) => path);
    this.endpoints = options.map((each) => new McpEndpoint(each));
    this.handlers = {
      endpoints: this.endpoints.map((endpoint) => ({
        path: endpoint.path,
        handle: (request, response, body) => endpoint.handle(request, response, body),
      })),
      documents: metadataHandlers(options, () => this.scopes),
    };
    application.onAdapter((adapter) => afterInit(adapter, () => this.mount(adapter)));
  }

  /** Before this call, the endpoints respond that the server is not initialized. */
  async open(operations: readonly Operations[]): Promise<void> {
    this.scopes = operations.map(({ scopes }) => scopes);
    const opening = this.endpoints.map((each, i) => each.open(operations[i] as Operations));
    // If one endpoint fails, `close()` can only release endpoints that are completely open.
    await Promise.allSettled(opening);
    await Promise.all(opening);
  }

  get openSessions(): number {
    return this.endpoints.reduce((sum, { openSessions }) => sum + openSessions, 0);
  }

  override get sessions(): PanelSessions {
    return {
      endpoints: this.endpoints.flatMap(({ path, sessions }) =>
        sessions === undefined ? [] : { path, ...sessions.overview },
      ),
    };
  }

  override endSession(key: string): boolean {
    return this.endpoints.some(({ sessions }) => sessions?.endByKey(key) ?? false);
  }

  resourceUpdated(uri: string): void {
    for (const endpoint of this.endpoints) endpoint.resourceUpdated(uri);
  }

  async close(): Promise<void> {
    await Promise.all(this.endpoints.map((endpoint) => endpoint.close()));
  }

  private async mount(adapter: AbstractHttpAdapter): Promise<void> {
    refuseHiddenRoutes(this.routes.served(), this.options);
    if (adapter.getType() === 'fastify') await mountOnFastify(adapter, this.handlers);
    else mountOnExpress(adapter, this.handlers);
    for (const endpoint of this.endpoints) {
      if (!endpoint.isDirect) continue;
      serveDirectly(adapter, {
        path: endpoint.path,
        handle: (request, response) => endpoint.handleDirectly(request, response),
      });
    }
  }
}

/** Not imported, because this package does not depend on Express. */
interface ExpressApplication {
  all(path: string, handler: MountedHandler['handle']): void;
}

function mountOnExpress(
  adapter: AbstractHttpAdapter,
  { endpoints, documents }: MountedHandlers,
): void {
  const express = adapter.getInstance<ExpressApplication>();
  for (const { path, handle } of [...endpoints, ...documents]) {
    // Omits Express' third argument (`next`): the third parameter of `handle` is the body.
    express.all(path, (request, response) => handle(request, response));
  }
}
