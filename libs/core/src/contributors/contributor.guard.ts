import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { contextOfExecution, currentContext, OpenContext } from '../context/open-context.js';
import { assertHandler } from '../context/dispatched-request.js';
import type { RequestContext } from '../context/request-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { ForeignContextError, NoRequestContextError } from '../errors.js';
import { RequestExecution } from '../nest/request-execution.js';
import { type ContributorPlan, runOnce } from './contributor-plan.js';
import { ContributorPlanner } from './contributor.planner.js';

/**
 * Runs three steps before a handler. First, the handler check of a request that was created in this
 * process. Second, `admit` of the openers. Third, the context decorators of the route. It is a
 * guard because Nest runs guards first, for both controllers and resolvers. `canActivate` never
 * returns false.
 */
@Injectable()
export class ContributorGuard implements CanActivate {
  constructor(
    private readonly planner: ContributorPlanner,
    private readonly moduleRef: ModuleRef,
    private readonly contexts: RequestContexts,
  ) {}

  canActivate(execution: ExecutionContext): true | Promise<true> {
    if (isMessage(execution)) return true;
    const own = contextOfExecution(execution);
    const current = currentContext();
    if (own && current && own !== current) throw new ForeignContextError();
    if (!own && !current && !isRequest(execution)) return true;
    return this.enter(own ?? current, execution);
  }

  /**
   * Runs the same steps as `canActivate`, but in the context that the caller passes. Ignores the
   * request and the response of `execution`.
   * @param plan the plan of the handler
   */
  enter(
    context: OpenContext | undefined,
    execution: ExecutionContext,
    plan: ContributorPlan = this.planner.planOf(execution.getClass(), execution.getHandler()),
  ): true | Promise<true> {
    if (context !== undefined) {
      assertHandler(context.state.req, execution);
      this.contexts.admit(execution, context);
    }
    if (plan.length === 0) return true;
    // Without these values, later guards could make a wrong decision.
    if (context === undefined) throw new NoRequestContextError();
    return this.run(plan, context);
  }

  private async run(plan: ContributorPlan, ctx: OpenContext): Promise<true> {
    for (const step of plan) await runOnce(step, ctx, this.moduleRef);
    return true;
  }
}

/** False for kinds that run outside requests, such as RabbitMQ (`rmq`), Discord or commands. */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql'>();
  return type === 'http' || type === 'graphql';
}

/** Returns true for messages of sockets and microservices, which have no request context. */
function isMessage(execution: ExecutionContext): boolean {
  const type = execution.getType();
  return type === 'ws' || type === 'rpc';
}

/** Runs the steps of `ContributorGuard` for requests that no Nest handler serves. */
@Injectable()
export class RequestGate {
  constructor(
    private readonly guard: ContributorGuard,
    private readonly planner: ContributorPlanner,
    private readonly contexts: RequestContexts,
  ) {}

  /**
   * Returns a function to call for each request. It runs `admit` of the openers, then the context
   * decorators of the application and its adapters, then `bind` of the openers. It throws their
   * errors.
   * @param owner a class that is used instead of a controller. Its decorators apply
   * @throws DuplicateContributorError, UnmetContributorDependencyError, ContributorCycleError,
   * UnknownContributorDepError
   */
  before(owner: Type, handler: Function): (ctx: RequestContext) => void | Promise<void> {
    // The plan is created here, so a mistake stops the startup.
    const plan = this.planner.planOf(owner, handler);
    return (ctx) => {
      const context = ctx instanceof OpenContext ? ctx : currentContext();
      const passed = this.guard.enter(context, new RequestExecution(ctx, owner, handler), plan);
      if (passed === true) return this.contexts.bind(ctx);
      return passed.then(() => this.contexts.bind(ctx));
    };
  }
}
