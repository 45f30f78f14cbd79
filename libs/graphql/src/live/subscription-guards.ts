import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { type Observable, of } from 'rxjs';
import { GraphqlContext } from '../context/graphql-context.js';
import type { OperationResult } from '../http/runtime.js';

/**
 * Returns a function that runs the guards of a subscription's handler again, without the handler.
 * Nest has no public way to do this. So the function subscribes to the field again. Between the
 * guards and the handler, Nest calls the first interceptor. This interceptor returns a stream
 * without events. The promise rejects if a guard rejects the context or throws.
 * @param subscribe calls `subscribe` of graphql-js for the operation
 */
export function subscriptionGuards(
  subscribe: (context: GraphqlContext) => OperationResult | Promise<OperationResult>,
): (context: GraphqlContext) => Promise<void> {
  // False if no handler of Nest serves the field. The field then has no guards.
  let exist = true;
  return async ({ ctx, container }) => {
    if (!exist) return;
    const marked = new GraphqlContext(ctx, container, 'socket');
    stopped.set(marked, false);
    const result = await subscribe(marked);
    if (Symbol.asyncIterator in result) {
      exist = stopped.get(marked) === true;
      await result[Symbol.asyncIterator]().return?.();
    } else if (result.errors?.[0] !== undefined) throw result.errors[0];
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

/**
 * The contexts in which a handler stops after its guards. The value is true if the handler has
 * stopped.
 */
const stopped = new WeakMap<object, boolean>();

const interceptor: NestInterceptor = {
  intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
    const context: unknown = execution.getArgByIndex(2);
    if (!(context instanceof GraphqlContext) || !stopped.has(context)) return next.handle();
    stopped.set(context, true);
    return of(NO_EVENTS);
  },
};

const NO_EVENTS: AsyncIterableIterator<never, undefined> = {
  next: () => Promise.resolve({ done: true, value: undefined }),
  return: () => Promise.resolve({ done: true, value: undefined }),
  [Symbol.asyncIterator]: () => NO_EVENTS,
};
