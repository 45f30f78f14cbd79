import { IntrospectionRegistry } from '@fledge/core';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { GraphqlOperations } from '../subscriptions/graphql-operations.js';
import { GraphqlSubscriptionsAdapter } from '../subscriptions/graphql-subscriptions.adapter.js';
import { urlOf } from '../subscriptions/socket-path.js';
import { SubscriptionNames } from '../subscriptions/subscription-names.js';
import { SubscriptionServer } from '../subscriptions/subscription.server.js';
import { DEFAULT_NAME } from './graphql-adapter.js';
import { GraphqlEndpoint, MOUNT } from './graphql-endpoint.js';
import type { Mount } from './mount.options.js';

/** The sockets of one mount: its schema, protection and numbers over another transport. */
@Injectable()
export class MountSubscriptions
  extends GraphqlSubscriptionsAdapter
  implements BeforeApplicationShutdown
{
  readonly name: string;
  private readonly server: SubscriptionServer;

  constructor(
    @Inject(MOUNT) private readonly mount: Mount,
    private readonly endpoint: GraphqlEndpoint,
    private readonly contexts: GraphqlContexts,
    private readonly config: ApplicationConfig,
    private readonly host: HttpAdapterHost,
    operations: GraphqlOperations,
    names: SubscriptionNames,
    introspection: IntrospectionRegistry,
  ) {
    super();
    this.server = new SubscriptionServer(operations, endpoint.numbers);
    const served = mount.subscriptions !== undefined || mount.runtime.streams === true;
    const named = mount.name === DEFAULT_NAME ? undefined : `${mount.name}Subscriptions`;
    this.name = served ? names.take(named) : '';
    if (served) introspection.register(this);
  }

  /** @throws MissingPeerError, SocketPathTakenError, GraphqlOptionError */
  async start(): Promise<void> {
    const { subscriptions, schema, rootValue, protection, counts } = this.mount;
    const adapter = this.host.httpAdapter;
    // Declared to be there always; null in an application without HTTP.
    if (subscriptions === undefined || !adapter) return;
    const { path, ...limits } = subscriptions;
    await this.server.start({
      schema,
      rootValue,
      protection,
      counts,
      limits,
      path,
      url: urlOf(path, this.config),
      contexts: this.contexts,
      adapter,
      before: (ctx) => this.endpoint.before(ctx),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.server.stop();
  }

  introspect(): ReturnType<GraphqlSubscriptionsAdapter['introspect']> {
    const { path, subscriptions } = this.mount;
    return this.server.introspect(this.name, subscriptions?.path ?? path);
  }
}
