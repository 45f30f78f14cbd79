import type { PanelSessions } from '@fledge/core/packages';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { Operations } from '../operations/operations.js';
import type { CallWatches } from '../messages/call-watches.js';
import type { HostApplication } from '../routes/host-application.js';
import { McpEndpoint } from './endpoint.js';
import { type ExpressApplication, openExpressShortcut } from './express-shortcut.js';
import { mountOnFastify } from './fastify-mount.js';
import { Mount } from './mount.js';
import { metadataHandlers } from './resource-metadata.js';
import type { MountedHandlers } from './shortcut.js';

/**
 * Mounts the endpoint and the metadata of its authorization: after everything that `main.ts` added (CORS,
 * helmet, middleware), and before Nest's body parser, which would answer malformed and large messages
 * differently.
 *
 * Nest calls the adapter's `init()` at exactly that point of `app.init()`. There is no hook for it, so the
 * method is wrapped. `test/endpoint.spec.ts` fails if the order changes.
 */
export class EndpointMount extends Mount {
  readonly place: string;
  private readonly endpoint: McpEndpoint;
  private readonly handlers: MountedHandlers;
  private scopes: readonly string[] = [];

  constructor(options: ResolvedMcpOptions, application: HostApplication, watches: CallWatches) {
    super();
    this.place = options.endpoint;
    const endpoint = (this.endpoint = new McpEndpoint(options, watches));
    this.handlers = [
      {
        path: options.endpoint,
        handle: (request, response, body) => endpoint.handle(request, response, body),
      },
      ...metadataHandlers(options, () => this.scopes),
    ];
    application.onAdapter((adapter) => this.mountAfterInit(adapter));
  }

  /** Opens the endpoint for clients. Before that it answers that the server is not initialized. */
  async open(operations: Operations): Promise<void> {
    this.scopes = operations.scopes;
    await this.endpoint.open(operations);
  }

  get openSessions(): number {
    return this.endpoint.openSessions;
  }

  override get sessions(): PanelSessions {
    return this.endpoint.sessions?.overview ?? super.sessions;
  }

  override endSession(key: string): boolean {
    return this.endpoint.sessions?.endByKey(key) ?? false;
  }

  resourceUpdated(uri: string): void {
    this.endpoint.resourceUpdated(uri);
  }

  onModuleDestroy(): Promise<void> {
    return this.endpoint.close();
  }

  private mountAfterInit(adapter: AbstractHttpAdapter): void {
    const init = adapter.init.bind(adapter);
    adapter.init = async () => {
      adapter.init = init;
      await init();
      if (adapter.getType() === 'fastify') await mountOnFastify(adapter, this.handlers);
      else this.mountOnExpress(adapter);
    };
  }

  private mountOnExpress(adapter: AbstractHttpAdapter): void {
    const express = adapter.getInstance<ExpressApplication>();
    const [endpoint, ...documents] = this.handlers;
    express.all(endpoint.path, (request, response) => endpoint.handle(request, response));
    openExpressShortcut(adapter, endpoint);
    for (const { path, handle } of documents) express.all(path, handle);
  }
}
