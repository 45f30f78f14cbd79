import { IntrospectionRegistry } from '@fledge/core';
import { BeforeClosing } from '@fledge/core/packages';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { Admission } from '../live/admission.js';
import { GraphqlOperations } from '../live/graphql-operations.js';
import { GraphqlSubscriptionsAdapter } from '../live/graphql-subscriptions.adapter.js';
import { SubscriptionNumbers } from '../live/subscription-numbers.js';
import { SubscriptionNames } from '../live/graphql-operations.module.js';
import { SocketServer } from './socket-server.js';
import { SUBSCRIPTION_SOURCE, type SubscriptionSource } from './subscription-source.js';

/** Serves the sockets of one `GraphqlSubscriptionsModule`. */
@Injectable()
export class ModuleSubscriptions
  extends GraphqlSubscriptionsAdapter
  implements OnApplicationBootstrap
{
  readonly name: string;
  private readonly server = new SocketServer();
  private readonly numbers = new SubscriptionNumbers();

  constructor(
    @Inject(SUBSCRIPTION_SOURCE) private readonly source: SubscriptionSource,
    private readonly contexts: GraphqlContexts,
    private readonly host: HttpAdapterHost,
    private readonly closing: BeforeClosing,
    private readonly operations: GraphqlOperations,
    names: SubscriptionNames,
    introspection: IntrospectionRegistry,
  ) {
    super();
    this.name = names.take();
    introspection.register(this);
  }

  /** Starts after all schemas are built and all gateways listen. */
  async onApplicationBootstrap(): Promise<void> {
    const adapter = this.host.httpAdapter;
    // The type excludes null, but it is null in an application context and in a microservice.
    if (!adapter) return;
    const source = await this.source();
    await source.documents.load('GraphqlSubscriptionsModule', source.schema);
    const { closing, contexts, operations, numbers } = this;
    const admission = new Admission(source.limits, contexts, operations, numbers);
    await this.server.start({ ...source, adapter, admission, closing });
  }

  introspect(): ReturnType<GraphqlSubscriptionsAdapter['introspect']> {
    return this.server.introspect(this.name, this.numbers);
  }
}
