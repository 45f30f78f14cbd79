import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/**
 * Code that runs at the start of every request, for example to find its tenant. Register it with
 * `RequestContexts`.
 */
export interface RequestOpener {
  /**
   * Context keys that `open` sets. Context decorators may list them in `dependsOn`.
   * @default none
   */
  readonly supplies?: readonly string[];
  /**
   * Runs inside the request's context, before the application's middleware. Do not reject the
   * request here. Store the error and throw it in `admit`, so requests for unknown paths still get
   * 404.
   */
  open(ctx: RequestContext): void | Promise<void>;
  /**
   * Accepts the request for a handler of a controller or resolver, or throws. Runs before context
   * decorators and guards.
   */
  admit?(execution: ExecutionContext, ctx: RequestContext): void;
  /**
   * Compares the request with the authenticated user. Throws if they do not match. Called only if
   * no Nest handler serves the request, after `admit` and the context decorators. For handlers, use
   * an interceptor.
   */
  bind?(ctx: RequestContext): void | Promise<void>;
}
