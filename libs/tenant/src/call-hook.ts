import { Logger } from '@nestjs/common';

const logger = new Logger('TenantModule');

/**
 * Errors and rejections of the hook are logged, so they cannot fail a request. A query
 * builder that the hook returns is executed.
 */
export function callHook(call: () => unknown): void {
  try {
    const called = call();
    if (!isThenable(called)) return;
    Promise.resolve(called).catch((error: unknown) => logger.error(error));
  } catch (error) {
    logger.error(error);
  }
}

/** Returns true for any value with a `then` method, because libraries have their own promises. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
}
