import { IntrospectionRegistry } from '@fledge/core';
import { BeforeClosing } from '@fledge/core/packages';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { DEFAULT_NAME } from '../graphql.defaults.js';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { GraphqlOperations } from '../subscriptions/graphql-operations.js';
import { GraphqlSubscriptionsAdapter } from '../subscriptions/graphql-subscriptions.adapter.js';
import { urlOf } from '../subscriptions/socket-path.js';
import { SubscriptionNames } from '../subscriptions/subscription-names.js';
import { SubscriptionServer } from '../subscriptions/subscription-server.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import type { Mount } from './resolve-mount.js';

/** Serves the schema of a mount over WebSocket, with the mount's protection and counts. */
@Injectable()
export class MountSubscriptions extends GraphqlSubscriptionsAdapter {
  readonly name: string;
  private readonly server: SubscriptionServer;

  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly endpoint: GraphqlEndpoint,
    private readonly contexts: GraphqlContexts,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    private readonly closing: BeforeClosing,
    operations: GraphqlOperations,
    names: SubscriptionNames,
    introspection: IntrospectionRegistry,
  ) {
    super();
    this.server = new SubscriptionServer(operations, endpoint.numbers);
    const served = mount.socketPath !== undefined || mount.runtime.streams === true;
    const named = mount.name === DEFAULT_NAME ? undefined : `${mount.name}Subscriptions`;
    this.name = served ? names.take(named) : '';
    if (served) introspection.register(this);
  }

  /** @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError */
  async start(): Promise<void> {
    const { socketPath: path } = this.mount;
    const adapter = this.host.httpAdapter;
    // The type excludes null, but it is null in an application without HTTP.
    if (path === undefined || !adapter) return;
    await this.server.start({
      ...this.mount,
      path,
      url: urlOf(path, this.config),
      contexts: this.contexts,
      adapter,
      closing: this.closing,
      before: (ctx) => this.endpoint.before(ctx),
      places: this.endpoint.places,
      revalidation: this.endpoint.revalidation,
    });
  }

  introspect(): ReturnType<GraphqlSubscriptionsAdapter['introspect']> {
    const { path, socketPath } = this.mount;
    return this.server.introspect(this.name, socketPath ?? path);
  }
}
