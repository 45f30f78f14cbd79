import { Container, ContextModule, IntrospectionRegistry } from '@fledge/core';
import {
  GraphqlSchemas,
  type PanelGraphqlMount,
  PanelSources,
  type ServedGraphql,
} from '@fledge/core/packages';
import { Injectable, type InjectionToken, Logger, Module, type Provider } from '@nestjs/common';
import { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { GraphqlContexts } from '../context/graphql-context.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import { NEST_OPTIONS, nestGraphqlPaths } from '../nest-graphql-modules.js';
import { OperationCounts } from '../operation/operation-telemetry.js';
import { GraphqlOperationsModule } from '../live/graphql-operations.module.js';
import { isSamePath, urlOf } from '../sockets/socket-path.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';

/** Additional facts about an endpoint. Other packages use them. */
interface EndpointFacts {
  readonly runtime?: string | undefined;
  /** Undefined if the endpoint serves no subscriptions. */
  readonly subscriptions?: (() => NonNullable<PanelGraphqlMount['subscriptions']>) | undefined;
  /** Returns the path with the global prefix. By default, the prefix applies. */
  readonly url?: () => string;
  /** Undefined if `@nestjs/graphql` builds the schema. */
  readonly served?: Required<Omit<ServedGraphql, 'path'>>;
}

/** The GraphQL endpoints of an application, each with a unique name and path. */
@Injectable()
export class GraphqlEndpoints {
  private readonly endpoints = new Map<GraphqlAdapter, EndpointFacts>();

  constructor(
    private readonly introspection: IntrospectionRegistry,
    private readonly config: ApplicationConfig,
    private readonly schemas: GraphqlSchemas,
    panel: PanelSources,
  ) {
    panel.register('graphql', () => ({
      mounts: () => [...this.endpoints].map(([adapter, facts]) => this.shown(adapter, facts)),
    }));
  }

  /**
   * Creates the adapter of an endpoint and registers it for introspection.
   * @throws GraphqlOptionError if another endpoint has the same name, or the same path in any case
   */
  register(
    name: string,
    path: string,
    counts: OperationCounts,
    facts: EndpointFacts = {},
  ): GraphqlAdapter {
    for (const other of this.endpoints.keys()) {
      if (other.name === name) {
        throw new GraphqlOptionError(
          `Two GraphQL endpoints are named "${name}": at ${other.path} and at ${path}. ` +
            `Give one of them another name: forRoot({ name: '...' }).`,
        );
      }
      if (isSamePath(other.path, path)) {
        const also = other.path === path ? '' : ` and ${other.path}, which differ only in case`;
        throw new GraphqlOptionError(
          `${other.name} and ${name} are both mounted at ${path}${also}. ` +
            `Give one of them another path: forRoot({ path: '...' }).`,
        );
      }
    }
    const adapter = new GraphqlAdapter(name, path, counts);
    this.endpoints.set(adapter, facts);
    if (facts.served) {
      const { schema, check, members } = facts.served;
      this.schemas.add({ schema, check, members, path: () => this.urlOf(adapter, facts) });
    }
    this.introspection.register(adapter);
    return adapter;
  }

  private shown(adapter: GraphqlAdapter, facts: EndpointFacts): PanelGraphqlMount {
    const { runtime, subscriptions } = facts;
    return {
      path: this.urlOf(adapter, facts),
      name: adapter.name,
      ...(runtime !== undefined && { runtime }),
      ...adapter.introspect().metrics,
      ...(subscriptions && { subscriptions: subscriptions() }),
    };
  }

  private urlOf({ path }: GraphqlAdapter, { url }: EndpointFacts): string {
    return url?.() ?? urlOf(path, this.config);
  }
}

/** Providers that the GraphQL endpoints of an application share. */
@Module({
  imports: [ContextModule, GraphqlOperationsModule],
  providers: [Container, GraphqlContexts, GraphqlEndpoints],
  exports: [Container, GraphqlContexts, GraphqlEndpoints, GraphqlOperationsModule],
})
export class GraphqlHostModule {}

/**
 * Returns providers for an endpoint of `GraphQLModule` of `@nestjs/graphql`: the adapter, the
 * counts and the options of the endpoint. The providers are exported, because
 * GraphqlSubscriptionsModule uses the same counts and limits.
 * @param runtime the library that executes operations
 */
export function nestEndpoint(
  options: { readonly name: string; readonly path: string },
  runtime: string,
): { readonly providers: Provider[]; readonly exports: InjectionToken[] } {
  const { name, path } = options;
  const token = getGraphqlAdapterToken(name);
  return {
    providers: [
      OperationCounts,
      { provide: NEST_OPTIONS, useValue: options },
      {
        provide: GraphqlAdapter,
        useFactory: (
          counts: OperationCounts,
          endpoints: GraphqlEndpoints,
          modules: ModulesContainer,
          config: ApplicationConfig,
        ) => {
          refuseSecond(modules);
          const url = () => nestUrlOf(path, modules, config);
          return endpoints.register(name, path, counts, { runtime, url });
        },
        inject: [OperationCounts, GraphqlEndpoints, ModulesContainer, ApplicationConfig],
      },
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token, OperationCounts, NEST_OPTIONS],
  };
}

/**
 * @throws GraphqlOptionError if the application imports `GraphqlApolloModule` or
 * `GraphqlMercuriusModule` more than once or together. Each import would change every
 * `GraphQLModule`
 */
function refuseSecond(modules: ModulesContainer): void {
  const found = [...modules.values()].filter(({ providers }) => providers.has(NEST_OPTIONS));
  if (found.length < 2) return;
  throw new GraphqlOptionError(
    `The application imports ${found.length} modules (${found.map(({ name }) => name).join(', ')}), and the options of each would ` +
      'apply to every GraphQLModule. Import only one of them, once. For an endpoint with its own limits and ' +
      'counts, use GraphqlMountModule.',
  );
}

/**
 * Returns a provider that throws a clear error if a module is imported without `forRoot()`. The
 * providers of `forRoot()` replace this provider.
 * @param token the options that the module needs
 */
export function missingOptions(token: symbol, module: string): Provider {
  return {
    provide: token,
    useFactory: () => {
      throw new GraphqlOptionError(`${module} has no options. Import ${module}.forRoot().`);
    },
  };
}

/**
 * Warns if no `GraphQLModule` has the path of an endpoint. Introspection would show a wrong path.
 * Call this when the modules are initialized.
 */
export function reportUnknownPath(
  { path }: { readonly path: string },
  modules: ModulesContainer,
  config: ApplicationConfig,
): void {
  const served = nestGraphqlPaths(modules);
  if (served.includes(path) || served.includes(urlOf(path, config))) return;
  const fix =
    served.length === 0
      ? 'Import GraphQLModule.forRoot() of @nestjs/graphql.'
      : `GraphQLModule serves ${served.join(', ')}. Pass this path: forRoot({ path: '${served[0]}' }).`;
  new Logger('GraphQL').warn(`No GraphQLModule serves the path ${path}. ${fix}`);
}

/**
 * Returns the path of a `GraphQLModule`, with the global prefix if the module uses the prefix. If
 * there is only one module, returns its path.
 */
function nestUrlOf(path: string, modules: ModulesContainer, config: ApplicationConfig): string {
  const served = nestGraphqlPaths(modules);
  const possible = served.length === 1 ? served : [path, urlOf(path, config)];
  return possible.find((each) => served.includes(each)) ?? path;
}
