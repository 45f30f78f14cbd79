import { Injectable, type Type } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { httpExecution } from '../nest-internals.js';
import { ContributorGuard } from './contributor.guard.js';
import { ContributorPlanner } from './contributor.planner.js';

/** For what serves requests outside of Nest's routes: does for them what happens before every handler. */
@Injectable()
export class RequestGate {
  constructor(
    private readonly guard: ContributorGuard,
    private readonly planner: ContributorPlanner,
    private readonly contexts: RequestContexts,
  ) {}

  /**
   * Openers let a request pass, the context decorators of the application and its adapters run, and
   * openers hold the request against whoever these found.
   * @param owner stands for the controller of `handler`: decorators on it count too
   * @returns what to call for each request; it throws what they throw
   * @throws DuplicateContributorError, UnmetContributorDependencyError, ContributorCycleError,
   * UnknownContributorDepError
   */
  before(owner: Type, handler: Function): (ctx: RequestContext) => void | Promise<void> {
    // Now, so that a mistake stops the boot.
    this.planner.planOf(owner, handler);
    return (ctx) => {
      const passed = this.guard.canActivate(httpExecution([ctx.req, ctx.res], owner, handler));
      if (passed === true) return this.contexts.bind(ctx);
      return (passed as Promise<boolean>).then(() => this.contexts.bind(ctx));
    };
  }
}
