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

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
