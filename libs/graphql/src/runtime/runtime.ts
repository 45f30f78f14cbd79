import type { MountHandler } from '@fledge/core';
import type { ExecutionResult } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { Operations } from '../operation/operations.js';

/** What a runtime is built from. */
export interface GraphqlRuntimeDeps extends Operations {
  /** Where it is mounted, global prefix included. */
  readonly path: string;
  /** What resolvers get for a request. */
  readonly contextOf: (req: IncomingMessage, res: ServerResponse) => GraphqlContext;
  /**
   * Runs a subscription that is answered as an event stream, as sockets run theirs: it has the signal,
   * counts, and ends with its client, its tenant, its token and the application. Never rejects.
   */
  readonly subscribe: (
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => Subscribed | Promise<Subscribed>,
  ) => Promise<Subscribed>;
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
  /**
   * Whether answers may be event streams, which are ended when the application closes. A runtime that
   * calls `subscribe` of its deps sets true: its numbers are in the introspection then.
   * @default answers are looked at when the application closes
   */
  readonly streams?: boolean;
}

/** What `subscribe` of graphql-js returns. */
type Subscribed = ExecutionResult | AsyncIterable<ExecutionResult>;
