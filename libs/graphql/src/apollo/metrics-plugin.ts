import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener } from '@apollo/server';
import type { OperationCounts } from '../operation/operation-counts.js';

/**
 * Counts what Apollo Server executes.
 * @param countsOf where to, by the context of an operation; undefined for one to leave out
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
    // Of an operation refused before execution too: parsing, validation, an unknown persisted query.
    willSendResponse: ({ errors }) => {
      if (errors !== undefined && errors.length > 0) counts.failed();
      return Promise.resolve();
    },
  };
}
