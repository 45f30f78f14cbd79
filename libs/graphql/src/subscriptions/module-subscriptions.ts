import { IntrospectionRegistry } from '@fledge/core';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { GraphqlOperations } from './graphql-operations.js';
import { GraphqlSubscriptionsAdapter } from './graphql-subscriptions.adapter.js';
import { SubscriptionNames } from './subscription-names.js';
import { SubscriptionServer } from './subscription.server.js';
import { SUBSCRIPTION_SOURCE, type SubscriptionSource } from './subscription.source.js';

/** The sockets that a module serves. */
@Injectable()
export class ModuleSubscriptions
  extends GraphqlSubscriptionsAdapter
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  readonly name: string;
  private readonly server: SubscriptionServer;

  constructor(
    @Inject(SUBSCRIPTION_SOURCE) private readonly source: SubscriptionSource,
    private readonly contexts: GraphqlContexts,
    private readonly host: HttpAdapterHost,
    operations: GraphqlOperations,
    names: SubscriptionNames,
    introspection: IntrospectionRegistry,
  ) {
    super();
    this.server = new SubscriptionServer(operations);
    this.name = names.take();
    introspection.register(this);
  }

  /** When every schema is built and every gateway has its listener. */
  async onApplicationBootstrap(): Promise<void> {
    const adapter = this.host.httpAdapter;
    // Declared to be there always; null in a context and in a microservice.
    if (!adapter) return;
    await this.server.start({ ...(await this.source()), adapter, contexts: this.contexts });
  }

  /** For a custom adapter that does not report that the application closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.server.stop();
  }

  introspect(): ReturnType<GraphqlSubscriptionsAdapter['introspect']> {
    return this.server.introspect(this.name);
  }
}
