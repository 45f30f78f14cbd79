import { Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/**
 * Returns the reason why a request must end, or undefined if it may continue. May return a promise.
 * Must not throw.
 */
export type RefusalOf = (ctx: RequestContext) => unknown;

/**
 * Notifies modules with long requests, such as subscriptions, that access may have changed. For
 * example, a tenant was suspended or a user was locked out.
 */
@Injectable()
export class RequestRevocations {
  private readonly listeners: ((refusalOf: RefusalOf) => void)[] = [];

  /**
   * Adds a listener, which is called at each announcement. The listener must check each of its
   * requests again, and end every request that is no longer allowed.
   */
  listen(listener: (refusalOf: RefusalOf) => void): void {
    this.listeners.push(listener);
  }

  /** Makes all listeners check their requests again. */
  announce(refusalOf: RefusalOf): void {
    for (const listener of this.listeners) listener(refusalOf);
  }
}
