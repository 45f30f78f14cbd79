import type { MessageHandler } from '@nestjs/microservices';

type Handle = (...args: unknown[]) => unknown;

/** The original handler of each wrapper. */
const wrapped = new WeakMap<object, MessageHandler>();

/**
 * Nest links the handlers of one event with `next`, and each handler calls the next one. Here,
 * `next` links the original handlers, so the wrapper of the first handler runs all of them.
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
