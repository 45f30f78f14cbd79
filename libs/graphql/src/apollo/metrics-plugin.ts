import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';
import type { OperationCounts } from '../operation/operation-counts.js';

/**
 * Creates a plugin that counts the operations of Apollo Server.
 * @param countsOf returns the counts for the context of an operation; undefined to skip the operation
 */
export function metricsPlugin(
  countsOf: (context: BaseContext) => OperationCounts | undefined,
): Required<Pick<ApolloServerPlugin, 'requestDidStart'>> {
  return {
    requestDidStart: ({ contextValue }) => Promise.resolve(listener(countsOf(contextValue))),
  };
}

function listener(counts: OperationCounts | undefined): GraphQLRequestListener<BaseContext> | void {
  if (counts === undefined) return;
  return {
    executionDidStart: ({ operation }) => {
      counts.started(operation.operation);
      return Promise.resolve();
    },
    // Also runs for operations refused before execution: syntax, validation, an unknown persisted query.
    willSendResponse: ({ errors }) => {
      if (errors !== undefined && errors.length > 0) counts.failed();
      return Promise.resolve();
    },
  };
}
