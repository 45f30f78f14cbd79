import { Injectable } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/** Returns why a request must end; undefined if it may go on. May return a promise. Must not throw. */
export type RefusalOf = (ctx: RequestContext) => unknown;

/**
 * Notifies modules with long-lived requests, such as subscriptions, that a condition of admission has
 * changed: a tenant was suspended or a user locked out.
 */
@Injectable()
export class RequestRevocations {
  private readonly listeners: ((refusalOf: RefusalOf) => void)[] = [];

  /** Calls the listener at each announcement. It checks each of its requests and ends the refused ones. */
  listen(listener: (refusalOf: RefusalOf) => void): void {
    this.listeners.push(listener);
  }

  /** Makes all listeners check their requests again. */
  announce(refusalOf: RefusalOf): void {
    for (const listener of this.listeners) listener(refusalOf);
  }
}
