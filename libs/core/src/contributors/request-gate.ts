import { Injectable, type Type } from '@nestjs/common';
import { currentContext } from '../context/context-store.js';
import { OpenContext } from '../context/open-context.js';
import type { RequestContext } from '../context/request-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { RequestExecution } from '../nest/request-execution.js';
import { ContributorGuard } from './contributor.guard.js';
import { ContributorPlanner } from './contributor.planner.js';

/** Runs the steps that precede each handler, for requests outside Nest's routes. */
@Injectable()
export class RequestGate {
  constructor(
    private readonly guard: ContributorGuard,
    private readonly planner: ContributorPlanner,
    private readonly contexts: RequestContexts,
  ) {}

  /**
   * Returns a function that runs `admit` of the openers, then the context decorators of the
   * application and its adapters, then `bind` of the openers.
   * @param owner used instead of the controller; decorators on it are included
   * @returns the function to call for each request; it throws errors of the steps
   * @throws DuplicateContributorError, UnmetContributorDependencyError, ContributorCycleError,
   * UnknownContributorDepError
   */
  before(owner: Type, handler: Function): (ctx: RequestContext) => void | Promise<void> {
    // Planned now, so a mistake stops the startup.
    const plan = this.planner.planOf(owner, handler);
    return (ctx) => {
      const context = ctx instanceof OpenContext ? ctx : currentContext();
      const passed = this.guard.enter(context, new RequestExecution(ctx, owner, handler), plan);
      if (passed === true) return this.contexts.bind(ctx);
      return passed.then(() => this.contexts.bind(ctx));
    };
  }
}
