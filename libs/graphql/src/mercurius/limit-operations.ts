import type { GraphQLError } from 'graphql';
import type { LimitCheck } from '../limits/limit-check.js';
import { watchScalars } from '../operation/result-fault.js';
import { type Mercurius, operationNameIn } from './mercurius-hooks.js';

/**
 * Applies limits to the operations of Mercurius over HTTP, with their variables. Mercurius has parsed and
 * validated them. Call it before the hooks that count operations are added.
 */
export function limitOperations(mercurius: Mercurius, check: LimitCheck): void {
  mercurius.addHook('preExecution', (schema, document, context, variables) => {
    watchScalars(schema);
    const operation = { operationName: operationNameIn(context), variables };
    const error =
      check.beforeValidation(document, operation) ??
      check.afterValidation(schema, document, operation);
    return error === undefined ? Promise.resolve() : Promise.reject(new LimitRefusal(error));
  });
}

/** In the form of Mercurius' own error for a document that it refuses. */
class LimitRefusal extends Error {
  readonly code = 'MER_ERR_GQL_VALIDATION';
  readonly statusCode = 400;
  readonly errors: readonly GraphQLError[];

  constructor(error: GraphQLError) {
    super(error.message);
    this.errors = [error];
  }
}
