import type { NestGraphqlModule } from '../nest-graphql-modules.js';
import { logError } from '../operation/failure-log.js';

/**
 * Replaces the function with which Mercurius applies `@Subscription({ filter })`. Its function is an
 * async generator. So Nest's guards and the handler would run only for the first event, and the
 * source would not end before the next event (ECMA-262 §27.6.3.8). `MercuriusFederationDriver` even
 * ignores the filter. Call this before modules are initialized.
 */
export function filterEagerly({ module }: NestGraphqlModule): void {
  module.graphQlAdapter.subscriptionWithFilter = (resolver, filter, createSubscribe) => {
    const subscribe = (createSubscribe as () => Subscribe)();
    return async (...args: unknown[]) =>
      filtered(await subscribe(...args), async (event) =>
        filter.call(resolver, event, args[1], args[2]),
      );
  };
}

type Subscribe = (...args: unknown[]) => Promise<AsyncIterable<unknown>>;

/** Drops the events for which `fits` returns false or rejects. */
function filtered<T>(
  source: AsyncIterable<T>,
  fits: (event: T) => Promise<boolean>,
): AsyncIterableIterator<T> {
  const events = source[Symbol.asyncIterator]();
  return {
    async next() {
      for (;;) {
        const step = await events.next();
        if (step.done || (await fits(step.value).catch(logError))) return step;
      }
    },
    return: async () => (await events.return?.()) ?? { done: true, value: undefined },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
