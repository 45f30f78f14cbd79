import { isObject } from '@fledge-internal/options';
import type { MountHandler } from '@fledge/core';
import type { ExecutionResult } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphqlContext } from '../context/graphql-context.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import type { ServedSchema } from '../operation/served-schema.js';

/** The schema and services that the mount passes to a runtime. */
export interface GraphqlRuntimeDeps extends ServedSchema {
  /** The path of the mount, including the global prefix. */
  readonly path: string;
  /** Maximum bytes of a body that the runtime reads. The mount reads only JSON. */
  readonly maxBodyBytes: number;
  /** Returns the resolver context for a request. */
  readonly contextOf: (req: IncomingMessage, res: ServerResponse) => GraphqlContext;
  /**
   * Runs a subscription over an event stream. The subscription is counted, and its context has
   * `ctx.get('signal')`. The subscription ends when the client disconnects, when the tenant or the
   * token is no longer valid, or when the application closes. Errors become a result with `errors`.
   * The promise does not reject.
   */
  readonly subscribe: (
    req: IncomingMessage,
    res: ServerResponse,
    subscribe: () => OperationResult | Promise<OperationResult>,
  ) => Promise<OperationResult>;
}

/**
 * Creates the handler that serves GraphQL over HTTP. The handler receives Node's request and
 * response (on Express, Express' request and response). The parsed JSON is in `req.body`.
 */
export interface GraphqlRuntime {
  (deps: GraphqlRuntimeDeps): MountHandler | Promise<MountHandler>;
  /**
   * True if the runtime calls `counts` itself. Otherwise the mount counts the operations in the
   * request body, and counts each status of 400 or above as an error.
   * @default false
   */
  readonly counts?: boolean;
  /**
   * True if the runtime calls `subscribe` of its deps. Introspection then shows its subscriptions.
   * False if the runtime has no event streams. If undefined, the mount finds the responses that are
   * streams, and ends them when the application closes.
   * @default undefined
   */
  readonly streams?: boolean;
  /**
   * True if the runtime gets documents from `documents.textOf()` of its deps. If false, the startup
   * fails if `documents` or `manifest` is set.
   * @default false
   */
  readonly documents?: boolean;
  /**
   * True if the runtime checks the media type of bodies itself. If false, the mount rejects forms
   * (`application/x-www-form-urlencoded`, `multipart/form-data` and `text/plain`) with 415, because
   * other sites can submit forms with the cookies of a user.
   * @default false
   */
  readonly forms?: boolean;
  /**
   * Name of the library, shown in @fledge/panel: `graphql-yoga`.
   * @default not shown
   */
  readonly library?: string;
}

/** The result of an operation: one result, or a stream of events. */
export type OperationResult = ExecutionResult | AsyncIterable<ExecutionResult>;

/**
 * Throws if the options of a function that creates a runtime are the deps of a runtime. The mount
 * then calls the function, because the application has passed it as `runtime` without calling it.
 * @param name name of the function
 * @throws GraphqlOptionError
 */
export function refuseUncalled(options: unknown, name: string): void {
  if (!isObject(options) || !('contextOf' in options)) return;
  throw new GraphqlOptionError(
    `The runtime of ${String(options['name'])} is the function ${name} itself. Call it: runtime: ${name}().`,
  );
}
