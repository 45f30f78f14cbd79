import { Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/** Returns why a request must not go on; undefined if it may. May return a promise, and does not throw. */
export type RefusalOf = (ctx: RequestContext) => unknown;

/**
 * Tells modules whose requests last, such as subscriptions, that a condition they were admitted under
 * has changed: a tenant was suspended, a user locked out.
 */
@Injectable()
export class RequestRevocations {
  private readonly listeners: ((refusalOf: RefusalOf) => void)[] = [];

  /** Calls the listener at each announcement. It asks for each of its requests, and ends those refused. */
  listen(listener: (refusalOf: RefusalOf) => void): void {
    this.listeners.push(listener);
  }

  /** Has every request that lasts checked again. */
  announce(refusalOf: RefusalOf): void {
    for (const listener of this.listeners) listener(refusalOf);
  }
}
