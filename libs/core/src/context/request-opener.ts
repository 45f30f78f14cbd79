import type { ExecutionContext } from '@nestjs/common';
import type { RequestContext } from './request-context.js';

/**
 * A module that knows something about every request from its first moment, such as whose it is.
 * Registered with `RequestContexts`.
 */
export interface RequestOpener {
  /** Context keys that `open` sets, which context decorators may name in `dependsOn`. @default none */
  readonly supplies?: readonly string[];
  /**
   * Looks at a request ahead of the application's own middleware, inside its context. It refuses
   * nothing: what is wrong is kept for `admit`, so that unknown paths stay 404.
   */
  open(ctx: RequestContext): void | Promise<void>;
  /**
   * Lets the request pass to the handler of a controller or resolver, or throws. Runs ahead of
   * context decorators and of every guard.
   */
  admit?(execution: ExecutionContext, ctx: RequestContext): void;
  /**
   * Holds the request against whoever is authenticated, or throws, where no handler of Nest follows:
   * behind `admit` and the context decorators. For handlers, an interceptor does.
   */
  bind?(ctx: RequestContext): void;
}
