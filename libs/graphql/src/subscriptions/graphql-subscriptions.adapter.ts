import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Introspectable, IntrospectionRegistry } from '@fledge/core';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { SUBSCRIPTION_SOURCE, type SubscriptionSource } from './subscription.source.js';
import { SubscriptionServer } from './subscription.server.js';

/** The subscriptions a module serves: `app.get(GraphqlSubscriptionsAdapter)`. */
@Injectable()
export class GraphqlSubscriptionsAdapter
  implements Introspectable, OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly server = new SubscriptionServer();
  readonly name = this.server.name;

  constructor(
    @Inject(SUBSCRIPTION_SOURCE) private readonly source: SubscriptionSource,
    private readonly contexts: GraphqlContexts,
    private readonly host: HttpAdapterHost,
    introspection: IntrospectionRegistry,
  ) {
    introspection.register(this);
  }

  /** When every schema is built and every gateway has its listener. */
  async onApplicationBootstrap(): Promise<void> {
    const adapter = this.host.httpAdapter;
    // Declared to be there always; null in a context and in a microservice.
    if (!adapter) return;
    await this.server.start({ ...(await this.source()), adapter, contexts: this.contexts });
  }

  /** Where an adapter of its own make does not tell that the application closes. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.server.stop();
  }

  /** Where it is, and its numbers: sockets and subscriptions now, the others since the start. A copy. */
  introspect(): ReturnType<SubscriptionServer['introspect']> {
    return this.server.introspect();
  }
}
