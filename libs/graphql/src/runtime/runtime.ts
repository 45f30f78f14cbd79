import type { MountHandler } from '@fledge/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { Operations } from '../operation/operations.js';

/** What a runtime is built from. */
export interface GraphqlRuntimeDeps extends Operations {
  /** Where it is mounted, global prefix included. */
  readonly path: string;
  /** What resolvers get for a request. */
  readonly contextOf: (req: IncomingMessage, res: ServerResponse) => GraphqlContext;
}

/**
 * Makes the handler that speaks GraphQL over HTTP. It gets Node's request and response, or Express',
 * with the parsed JSON in `req.body`.
 */
export interface GraphqlRuntime {
  (deps: GraphqlRuntimeDeps): MountHandler | Promise<MountHandler>;
  /**
   * A runtime that tells `counts` of every operation says so. The others are counted by the mount:
   * operations by the request's body, errors by a status of 400 and above.
   * @default false
   */
  readonly counts?: boolean;
}
