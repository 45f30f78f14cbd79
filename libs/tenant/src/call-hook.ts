import { Logger } from '@nestjs/common';

const logger = new Logger('TenantModule');

/** Calls a hook of the options. What it throws, or rejects with, is logged: a request does not depend on it. */
export function callHook(call: () => unknown): void {
  try {
    const called = call();
    if (called instanceof Promise) called.catch((error: unknown) => logger.error(error));
  } catch (error) {
    logger.error(error);
  }
}
