import { Injectable, type Type } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { httpExecution } from '../nest-internals.js';
import { ContributorGuard } from './contributor.guard.js';
import { ContributorPlanner } from './contributor.planner.js';

/** For what serves requests outside of Nest's routes: does for them what happens before every handler. */
@Injectable()
export class RequestGate {
  constructor(
    private readonly guard: ContributorGuard,
    private readonly planner: ContributorPlanner,
  ) {}

  /**
   * Openers let a request pass, then the context decorators of the application and its adapters run.
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
      return passed === true ? undefined : (passed as Promise<boolean>).then(() => undefined);
    };
  }
}
