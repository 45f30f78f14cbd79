import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { currentContext } from '../context/context-store.js';
import { assertHandler } from '../context/dispatched-request.js';
import { contextOfExecution, type OpenContext } from '../context/open-context.js';
import { RequestContexts } from '../context/request-contexts.js';
import { ForeignContextError, NoRequestContextError } from '../errors.js';
import { type ContributorPlan, runOnce } from './contributor-plan.js';
import { ContributorPlanner } from './contributor.planner.js';

/**
 * Runs the handler check of an in-process request, then `admit` of the openers, then the context
 * decorators of the route. It is a guard because Nest runs guards first, for both controllers and
 * resolvers. The guard itself rejects no request.
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
   * Same as `canActivate`, for a known context. Reads neither its request nor its response.
   * @param planned the plan of the handler, if the caller has it
   */
  enter(
    context: OpenContext | undefined,
    execution: ExecutionContext,
    planned?: ContributorPlan,
  ): true | Promise<true> {
    if (context !== undefined) {
      assertHandler(context.state.req, execution);
      this.contexts.admit(execution, context);
    }
    const plan = planned ?? this.planner.planOf(execution.getClass(), execution.getHandler());
    if (plan.length === 0) return true;
    // Without the values, later guards could decide wrongly.
    if (context === undefined) throw new NoRequestContextError();
    return this.run(plan, context);
  }

  private async run(plan: ContributorPlan, ctx: OpenContext): Promise<true> {
    for (const step of plan) await runOnce(step, ctx, this.moduleRef);
    return true;
  }
}

/**
 * Returns false for handlers of other kinds, such as RabbitMQ (`rmq`), Discord or commands, which
 * run outside requests.
 */
function isRequest(execution: ExecutionContext): boolean {
  const type = execution.getType<'http' | 'graphql'>();
  return type === 'http' || type === 'graphql';
}

/** Returns true for messages of sockets and microservices, which have no request context. */
function isMessage(execution: ExecutionContext): boolean {
  const type = execution.getType();
  return type === 'ws' || type === 'rpc';
}
