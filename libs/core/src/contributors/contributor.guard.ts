import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { currentContext } from '../context/current-context.js';
import { contextOfExecution } from '../context/execution-context.js';
import type { OpenContext } from '../context/open-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { NoRequestContextError } from '../core.errors.js';
import { type ContributorPlan, runOnce } from './contributor-plan.js';
import { ContributorPlanner } from './contributor.planner.js';

/**
 * Asks the openers whether the request may pass, then runs the context decorators of its route. A
 * guard, because guards are the first thing Nest runs for a handler and the only thing it runs alike
 * for controllers and resolvers; of itself it forbids nothing.
 */
@Injectable()
export class ContributorGuard implements CanActivate {
  constructor(
    private readonly planner: ContributorPlanner,
    private readonly moduleRef: ModuleRef,
    private readonly contexts: RequestContexts,
  ) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    if (isMessage(execution)) return true;
    const context = contextOfExecution(execution) ?? currentContext();
    if (context !== undefined) this.contexts.admit(execution, context);
    const plan = this.planner.planOf(execution.getClass(), execution.getHandler());
    if (plan.length === 0) return true;
    // Going on without the values would leave it to each guard to notice.
    if (context === undefined) throw new NoRequestContextError();
    return this.run(plan, context);
  }

  private async run(plan: ContributorPlan, ctx: OpenContext): Promise<true> {
    for (const step of plan) await runOnce(step, ctx, this.moduleRef);
    return true;
  }
}

/** Messages of sockets and microservices are no requests: they have no context. */
function isMessage(execution: ExecutionContext): boolean {
  const type = execution.getType();
  return type === 'ws' || type === 'rpc';
}
