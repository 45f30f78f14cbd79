import { Injectable, type InjectionToken, type Type } from '@nestjs/common';
import { type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import { contextIdOf } from '../context/context-id.js';
import { currentContext } from '../context/open-context.js';
import type { RequestContext } from '../context/request-context.js';

/** Finds the application's providers. Used by code that Nest does not construct. */
@Injectable()
export class Container {
  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * Returns a provider that all requests share.
   * @throws Nest's error for an unknown token, and for a request-scoped or transient provider
   */
  get<T>(token: ClassToken<T>): T;
  get<T = unknown>(token: InjectionToken): T;
  get(token: InjectionToken): unknown {
    return this.moduleRef.get<unknown>(token as Type, { strict: false });
  }

  /**
   * Resolves a provider of any scope. For a request-scoped provider, returns the instance of the
   * current request.
   */
  resolve<T>(token: ClassToken<T>): Promise<T>;
  resolve<T = unknown>(token: InjectionToken): Promise<T>;
  resolve(token: InjectionToken): Promise<unknown> {
    const context = currentContext();
    const contextId = context
      ? contextIdOf(context.req, this.moduleRef)
      : ContextIdFactory.create();
    return this.moduleRef.resolve<unknown>(token as Type, contextId, { strict: false });
  }

  /**
   * Returns a container for the providers of the given request, even if the code runs in another
   * request.
   */
  of(ctx: RequestContext): Pick<Container, 'get' | 'resolve'> {
    return new RequestContainer(this.moduleRef, ctx);
  }

  /**
   * Returns the id of the request-scoped providers of a request. The id is assigned on first use.
   * Call this method before Nest assigns another id for a resolver.
   */
  contextIdOf(ctx: RequestContext): ContextId {
    return contextIdOf(ctx.req, this.moduleRef);
  }
}

class RequestContainer implements Pick<Container, 'get' | 'resolve'> {
  readonly #moduleRef: ModuleRef;
  readonly #ctx: RequestContext;

  constructor(moduleRef: ModuleRef, ctx: RequestContext) {
    this.#moduleRef = moduleRef;
    this.#ctx = ctx;
  }

  get(token: InjectionToken): never {
    return this.#moduleRef.get<never>(token as Type, { strict: false });
  }

  resolve(token: InjectionToken): Promise<never> {
    const contextId = contextIdOf(this.#ctx.req, this.#moduleRef);
    return this.#moduleRef.resolve<never>(token as Type, contextId, { strict: false });
  }
}

type ClassToken<T> = abstract new (...args: never[]) => T;
