import { Injectable, type Type } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, ModuleRef } from '@nestjs/core';
import { RequestContexts } from '../context/request-contexts.js';
import { classesOf } from '../nest/discovered-classes.js';
import { isRouteHandler } from '../nest/handler-parameters.js';
import { contributorsOfClass, contributorsOfMethod } from './context-decorator.js';
import { type ContributorPlan, stepOf } from './contributor-plan.js';
import { inDependencyOrder, strongestContributors } from './dependency-order.js';
import { registeredContributors, type RegisteredContributors } from './registered-contributors.js';

/** Each plan is created once. Plans of routes are created at startup. */
@Injectable()
export class ContributorPlanner {
  private readonly plans = new Map<Function, Map<Function, ContributorPlan>>();
  private registered: RegisteredContributors | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    private readonly moduleRef: ModuleRef,
    private readonly contexts: RequestContexts,
  ) {}

  /**
   * Plans every route and every decorated resolver, so a mistake stops the startup.
   * @throws DuplicateContributorError, UnmetContributorDependencyError, ContributorCycleError,
   * UnknownContributorDepError, CoreOptionError
   */
  planRoutes(): void {
    // The options of ContextModule are checked even if there are no routes.
    this.registered = registeredContributors(this.discovery);
    for (const owner of classesOf(this.discovery.getControllers())) {
      for (const handler of this.methodsOf(owner)) {
        if (isRouteHandler(handler)) this.planOf(owner, handler);
      }
    }
    for (const owner of classesOf(this.discovery.getProviders())) {
      for (const handler of this.methodsOf(owner)) {
        if (isDecoratedResolver(owner, handler)) this.planOf(owner, handler);
      }
    }
  }

  /** Empty for most handlers. */
  planOf(owner: Function, handler: Function): ContributorPlan {
    let plans = this.plans.get(owner);
    if (plans === undefined) this.plans.set(owner, (plans = new Map<Function, ContributorPlan>()));
    let plan = plans.get(handler);
    if (plan === undefined) plans.set(handler, (plan = this.makePlan(owner, handler)));
    return plan;
  }

  private makePlan(owner: Function, handler: Function): ContributorPlan {
    this.registered ??= registeredContributors(this.discovery);
    const route = `${owner.name}.${handler.name}`;
    const contributors = strongestContributors(
      {
        global: this.registered.global,
        adapter: this.registered.adapter,
        module: this.registered.module.get(owner) ?? [],
        class: contributorsOfClass(owner),
        method: contributorsOfMethod(handler),
      },
      route,
    );
    return inDependencyOrder(contributors, route, this.contexts.supplied).map((contributor) =>
      stepOf(contributor, this.moduleRef, route),
    );
  }

  private methodsOf(owner: Type): Function[] {
    const prototype = owner.prototype as Record<string, Function>;
    return this.scanner
      .getAllMethodNames(prototype)
      .flatMap((name) => (typeof prototype[name] === 'function' ? [prototype[name]] : []));
  }
}

/** If a method of a provider has any decorator metadata, treats it as a handler. */
function isDecoratedResolver(owner: Type, handler: Function): boolean {
  if (contributorsOfMethod(handler).length > 0) return true;
  return contributorsOfClass(owner).length > 0 && Reflect.getMetadataKeys(handler).length > 0;
}
