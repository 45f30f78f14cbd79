import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import type { GraphQLResolveInfo } from 'graphql';
import { type Observable, of } from 'rxjs';
import { GraphqlContext } from '../context/graphql-context.js';
import type { OperationResult } from '../http/runtime.js';

/**
 * Returns a function that runs the guards of a subscription's handler again, without the handler.
 * Nest has no public way to do this. So the function subscribes to the field again. Between the
 * guards and the handler, Nest calls the first interceptor. This interceptor returns a stream
 * without events. The promise rejects if a guard rejects the context or throws.
 * @param original the context of the running subscription
 * @param subscribe calls `subscribe` of graphql-js for the operation
 */
export function subscriptionGuards(
  original: GraphqlContext,
  subscribe: (context: GraphqlContext) => OperationResult | Promise<OperationResult>,
): (context: GraphqlContext) => Promise<void> {
  // False if no handler of Nest serves the field. The field then has no guards.
  let exist = true;
  return async ({ ctx, container }) => {
    if (!exist && !reached.has(original)) return;
    const marked = new GraphqlContext(ctx, container, 'socket');
    stopping.add(marked);
    const result = await subscribe(marked);
    if (!(Symbol.asyncIterator in result)) throw result.errors![0]!;
    const events = result[Symbol.asyncIterator]();
    // A generator around the handler calls the handler only for the first event.
    if (!reached.has(marked) && reached.has(original)) await events.next();
    exist = reached.has(marked);
    await events.return?.();
    if (!exist && reached.has(original)) {
      throw new Error('The guards of a subscription did not run again.');
    }
  };
}

/**
 * Adds the interceptor that `subscriptionGuards` needs. The interceptor stops a handler after its
 * guards. Call this before Nest creates the handlers.
 */
export function stopAfterGuards(config: ApplicationConfig): void {
  const interceptors = config.getGlobalInterceptors();
  // This must be the first interceptor, because other interceptors expect that the handler runs.
  if (!interceptors.includes(interceptor)) interceptors.unshift(interceptor);
}

/** The contexts in which a handler stops after its guards. */
const stopping = new WeakSet<object>();

/** The contexts in which the guards of a handler have run. */
const reached = new WeakSet<object>();

const interceptor: NestInterceptor = {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context: unknown = execution.getArgByIndex(2);
    if (!(context instanceof GraphqlContext)) return next.handle();
    // Nest may also call this interceptor for fields below the subscription.
    const { path } = execution.getArgByIndex<GraphQLResolveInfo>(3);
    if (path.prev === undefined) reached.add(context);
    return stopping.has(context) ? of(NO_EVENTS) : next.handle();
  },
};

const NO_EVENTS: AsyncIterableIterator<never, undefined> = {
  next: () => Promise.resolve({ done: true, value: undefined }),
  return: () => Promise.resolve({ done: true, value: undefined }),
  [Symbol.asyncIterator]: () => NO_EVENTS,
};
