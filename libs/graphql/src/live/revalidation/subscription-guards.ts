import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { type Observable, of } from 'rxjs';
import { GraphqlContext } from '../../context/graphql-context.js';
import type { OperationResult } from '../../http/runtime.js';

/**
 * Runs the guards of one subscription's handler again, without the handler.
 *
 * Nest has no public way to run only the guards of a handler. So this subscribes to the field
 * again. Nest calls the first interceptor between the guards and the handler, and this interceptor
 * returns a stream without events.
 */
export class SubscriptionGuards {
  /** False if the field is not a handler of Nest, so it has no guards. */
  private exist = true;

  /** @param subscribe calls `subscribe` of graphql-js for the operation */
  constructor(
    private readonly subscribe: (
      context: GraphqlContext,
    ) => OperationResult | Promise<OperationResult>,
  ) {}

  /** @throws GraphQLError if a guard rejects the context or throws */
  async run({ ctx, container }: GraphqlContext): Promise<void> {
    if (!this.exist) return;
    const marked = new GraphqlContext(ctx, container, 'socket');
    stopped.set(marked, false);
    const result = await this.subscribe(marked);
    if (Symbol.asyncIterator in result) {
      this.exist = stopped.get(marked) === true;
      await result[Symbol.asyncIterator]().return?.();
    } else if (result.errors?.[0] !== undefined) throw result.errors[0];
  }
}

/**
 * Makes Nest's handlers stop after their guards for `SubscriptionGuards`. Call this before Nest
 * creates the handlers.
 */
export function stopAfterGuards(config: ApplicationConfig): void {
  const interceptors = config.getGlobalInterceptors();
  // This must be the first interceptor, because the application's interceptors expect that the
  // handler runs.
  if (!interceptors.includes(interceptor)) interceptors.unshift(interceptor);
}

/**
 * The contexts for which handlers stop after their guards. The value becomes true when a handler
 * has stopped.
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
