import type { MessageHandler } from '@nestjs/microservices';

type Handle = (...args: unknown[]) => unknown;

/** Maps each wrapper to its original handler. */
const wrapped = new WeakMap<object, MessageHandler>();

/**
 * Wraps the handler of a pattern. Nest chains the handlers of one event with `next`, and each
 * handler calls the next one. This chain links the original handlers, so one call of the first
 * handler's wrapper runs all of them.
 */
export function wrappedHandler(handler: MessageHandler, handle: Handle): MessageHandler {
  let next: MessageHandler | undefined;
  const wrapper = Object.defineProperty(handle, 'next', {
    get: () => next,
    set: (following: MessageHandler) => {
      next = following;
      handler.next = (wrapped.get(following) ?? following) as NonNullable<MessageHandler['next']>;
    },
  }) as unknown as MessageHandler;
  wrapped.set(wrapper, handler);
  return wrapper;
}
