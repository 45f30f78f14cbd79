import type { InjectionToken, Provider } from '@nestjs/common';
import { DEFAULT_NAME, DEFAULT_PATH, resolveOperationLimits } from '../graphql.defaults.js';
import type { GraphqlApolloOptions } from '../graphql.options.js';
import { NEST_LIMITS } from '../limits/limit-check.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';
import { GraphqlEndpoints } from './graphql-host.module.js';
import { pathOf } from './resolve-mount.js';

/**
 * The providers of an endpoint that `GraphQLModule` of `@nestjs/graphql` serves: its adapter, its counts and its
 * limits. They are exported, because GraphqlSubscriptionsModule adds to these counts and has these limits, so that
 * they cover both transports.
 * @param runtime the library that executes
 * @throws GraphqlOptionError for an invalid path or limit
 */
export function nestEndpoint(
  { name = DEFAULT_NAME, path, limits }: Pick<GraphqlApolloOptions, 'name' | 'path' | 'limits'>,
  runtime: string,
): { readonly providers: Provider[]; readonly exports: InjectionToken[] } {
  const token = getGraphqlAdapterToken(name);
  return {
    providers: [
      OperationCounts,
      { provide: NEST_LIMITS, useValue: resolveOperationLimits(limits) },
      {
        provide: GraphqlAdapter,
        useFactory: (counts: OperationCounts, endpoints: GraphqlEndpoints) =>
          endpoints.register(name, pathOf('path', path ?? DEFAULT_PATH), counts, { runtime }),
        inject: [OperationCounts, GraphqlEndpoints],
      },
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token, OperationCounts, NEST_LIMITS],
  };
}
