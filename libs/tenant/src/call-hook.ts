import { Logger } from '@nestjs/common';

const logger = new Logger('TenantModule');

/** Errors and rejections of the hook are logged, so they cannot fail a request. */
export function callHook(call: () => unknown): void {
  try {
    const called = call();
    if (called instanceof Promise) called.catch((error: unknown) => logger.error(error));
  } catch (error) {
    logger.error(error);
  }
}
