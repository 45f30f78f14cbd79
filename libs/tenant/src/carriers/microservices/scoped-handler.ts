import type { MessageHandler } from '@nestjs/microservices';

type Handle = (...args: unknown[]) => unknown;

/** The handlers behind the wrappers. */
const wrapped = new WeakMap<object, MessageHandler>();

/**
 * Wraps the handler of a pattern. Nest chains the handlers of one event by `next`, and each handler calls
 * the one behind it, so the chain is kept on the handlers themselves: the wrapper of the first runs all.
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
