import { Container, ContextModule, IntrospectionRegistry } from '@fledge/core';
import { type PanelGraphqlMount, PanelSources } from '@fledge/core/packages';
import { Injectable, Module } from '@nestjs/common';
import { ApplicationConfig } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import type { OperationCounts } from '../operation/operation-counts.js';
import { GraphqlOperationsModule } from '../subscriptions/graphql-operations.module.js';
import { GraphqlAdapter } from './graphql-adapter.js';

/** What @fledge/panel shows of an endpoint besides its counts. */
interface EndpointFacts {
  /** Library that executes. */
  readonly runtime?: string | undefined;
  /** Undefined if the endpoint serves none. */
  readonly subscriptions?: (() => NonNullable<PanelGraphqlMount['subscriptions']>) | undefined;
}

/** The GraphQL endpoints of an application, each with a unique name and path. */
@Injectable()
export class GraphqlEndpoints {
  private readonly adapters: GraphqlAdapter[] = [];
  private readonly facts = new Map<GraphqlAdapter, EndpointFacts>();

  constructor(
    private readonly introspection: IntrospectionRegistry,
    private readonly config: ApplicationConfig,
    panel: PanelSources,
  ) {
    panel.register('graphql', () => ({
      mounts: () => this.adapters.map((each) => this.shown(each)),
    }));
  }

  /**
   * Creates the adapter of an endpoint and registers it for introspection.
   * @param facts what @fledge/panel shows besides
   * @throws GraphqlOptionError for a name or path that another endpoint has
   */
  register(
    name: string,
    path: string,
    counts: OperationCounts,
    facts: EndpointFacts = {},
  ): GraphqlAdapter {
    for (const other of this.adapters) {
      if (other.name === name) {
        throw new GraphqlOptionError(
          `Two GraphQL endpoints are named "${name}": at ${other.path} and at ${path}. ` +
            `Give one of them another name: forRoot({ name: '...' }).`,
        );
      }
      if (other.path === path) {
        throw new GraphqlOptionError(
          `${other.name} and ${name} are both mounted at ${path}. ` +
            `Give one of them another path: forRoot({ path: '...' }).`,
        );
      }
    }
    const adapter = new GraphqlAdapter(name, path, counts);
    this.adapters.push(adapter);
    this.facts.set(adapter, facts);
    this.introspection.register(adapter);
    return adapter;
  }

  private shown(adapter: GraphqlAdapter): PanelGraphqlMount {
    const prefix = this.config.getGlobalPrefix().replace(/^\/|\/$/g, '');
    const path = prefix === '' ? adapter.path : `/${prefix}${adapter.path}`;
    const { runtime, subscriptions } = this.facts.get(adapter) ?? {};
    return {
      path,
      name: adapter.name,
      ...(runtime !== undefined && { runtime }),
      ...adapter.introspect().metrics,
      ...(subscriptions && { subscriptions: subscriptions() }),
    };
  }
}

/** Providers that the GraphQL endpoints of an application share. */
@Module({
  imports: [ContextModule, GraphqlOperationsModule],
  providers: [Container, GraphqlContexts, GraphqlEndpoints],
  exports: [Container, GraphqlContexts, GraphqlEndpoints, GraphqlOperationsModule],
})
export class GraphqlHostModule {}
