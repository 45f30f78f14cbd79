import type { MountHandler } from '@fledge/core';
import type { ExecutionResult } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import type { ServedSchema } from '../operation/served-schema.js';

/** The schema and services that the mount passes to a runtime. */
export interface GraphqlRuntimeDeps extends ServedSchema {
  /** Path of the mount, including the global prefix. */
  readonly path: string;
  /** Returns the context of resolvers for a request. */
  readonly contextOf: (req: IncomingMessage, res: ServerResponse) => GraphqlContext;
  /**
   * Runs a subscription that is answered as an event stream. It has `ctx.get('signal')`, is counted, and ends
   * with its client, its tenant, its token or the application. Errors become a result with `errors`; the
   * promise does not reject.
   */
  readonly subscribe: (
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => OperationResult | Promise<OperationResult>,
  ) => Promise<OperationResult>;
}

/**
 * Creates the handler that serves GraphQL over HTTP. The handler gets Node's request and response (Express'
 * own on Express), with the parsed JSON in `req.body`.
 */
export interface GraphqlRuntime {
  (deps: GraphqlRuntimeDeps): MountHandler | Promise<MountHandler>;
  /**
   * True for a runtime that calls `counts` itself. Otherwise the mount counts: operations by the request's
   * body, errors by a status of 400 and above.
   * @default false
   */
  readonly counts?: boolean;
  /**
   * True for a runtime that calls `subscribe` of its deps: introspection then shows its subscriptions. False
   * for a runtime without event streams.
   * @default undefined: the closing application checks which responses are streams, and ends them
   */
  readonly streams?: boolean;
  /**
   * True for a runtime that gets documents from `documents.textOf()` of its deps. For others, the options
   * `documents` and `manifest` stop the boot.
   * @default false
   */
  readonly documents?: boolean;
  /** Name of the library, for @fledge/panel: `graphql-yoga`. @default not shown */
  readonly library?: string;
}

/** The result of an operation: one result, or a stream of events. */
export type OperationResult = ExecutionResult | AsyncIterable<ExecutionResult>;
