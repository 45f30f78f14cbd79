import type { InjectionToken, Provider } from '@nestjs/common';
import { NEST_LIMITS } from '../limits/limit-check.js';
import { OperationCounts } from '../operation/operation-counts.js';
import type { ResolvedOperationLimits } from '../option-tables.js';
import { getGraphqlAdapterToken, GraphqlAdapter } from './graphql-adapter.js';
import { GraphqlEndpoints } from './graphql-host.module.js';

/**
 * The providers of an endpoint that `GraphQLModule` of `@nestjs/graphql` serves: its adapter, its counts and its
 * limits. They are exported, because GraphqlSubscriptionsModule adds to these counts and has these limits, so that
 * they cover both transports.
 * @param runtime the library that executes
 */
export function nestEndpoint(
  {
    name,
    path,
    limits,
  }: { readonly name: string; readonly path: string; readonly limits: ResolvedOperationLimits },
  runtime: string,
): { readonly providers: Provider[]; readonly exports: InjectionToken[] } {
  const token = getGraphqlAdapterToken(name);
  return {
    providers: [
      OperationCounts,
      { provide: NEST_LIMITS, useValue: limits },
      {
        provide: GraphqlAdapter,
        useFactory: (counts: OperationCounts, endpoints: GraphqlEndpoints) =>
          endpoints.register(name, path, counts, { runtime }),
        inject: [OperationCounts, GraphqlEndpoints],
      },
      { provide: token, useExisting: GraphqlAdapter },
    ],
    exports: [GraphqlAdapter, token, OperationCounts, NEST_LIMITS],
  };
}
