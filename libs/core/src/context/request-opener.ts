import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/**
 * Code that runs at the start of every request, for example to find its tenant. Register it with
 * `RequestContexts`.
 */
export interface RequestOpener {
  /**
   * Context keys that `open` sets. Context decorators may list them in `dependsOn`. @default none
   */
  readonly supplies?: readonly string[];
  /**
   * Runs inside the request's context, before the application's middleware. It should not reject
   * the request. Store the error and throw it in `admit`, so requests for unknown paths still get
   * 404.
   */
  open(ctx: RequestContext): void | Promise<void>;
  /**
   * Accepts the request for a handler of a controller or resolver, or throws. Runs before context
   * decorators and guards.
   */
  admit?(execution: ExecutionContext, ctx: RequestContext): void;
  /**
   * Checks the request against the authenticated user, or throws. Called for requests that no Nest
   * handler serves, after `admit` and the context decorators. For handlers, use an interceptor.
   */
  bind?(ctx: RequestContext): void | Promise<void>;
}
