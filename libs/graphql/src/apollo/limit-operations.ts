import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLError } from 'graphql';
import { LimitCheck } from '../limits/limit-check.js';
import { watchScalars } from '../operation/result-fault.js';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import type { ResolvedOperationLimits } from '../option-tables.js';

/**
 * Applies limits to the operations of a `GraphQLModule` over HTTP. Apollo has parsed and validated them.
 * Call this before modules are initialized.
 */
export function limitOperations(
  graphqlModule: NestGraphqlModule,
  limits: ResolvedOperationLimits,
): void {
  changeOptions<Options>(graphqlModule, ({ plugins = [], ...options }) => ({
    ...options,
    plugins: [limitPlugin(new LimitCheck(limits)), ...plugins],
  }));
}

function limitPlugin(check: LimitCheck): ApolloServerPlugin {
  return {
    serverWillStart: () => check.load(),
    requestDidStart: () =>
      Promise.resolve({
        didResolveOperation: ({ schema, document, request }) => {
          watchScalars(schema);
          const error =
            check.beforeValidation(document, request) ??
            check.afterValidation(schema, document, request);
          return error === undefined ? Promise.resolve() : Promise.reject(refused(error));
        },
      }),
  };
}

/** Apollo's default for an error of a plugin is 500. */
function refused(error: GraphQLError): GraphQLError {
  error.extensions['http'] = { status: 400 };
  return error;
}

interface Options {
  readonly plugins?: readonly ApolloServerPlugin[];
}
