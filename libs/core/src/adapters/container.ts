import { Injectable, type InjectionToken, type Type } from '@nestjs/common';
import { type ContextId, ContextIdFactory, ModuleRef } from '@nestjs/core';
import { contextIdOf } from '../context/context-id.js';
import { currentContext } from '../context/cls-store.js';
import type { RequestContext } from '../context/request-context.js';

/** The application's providers, for code that Nest does not construct. */
@Injectable()
export class Container {
  constructor(private readonly moduleRef: ModuleRef) {}

  /**
   * A provider that all requests share.
   * @throws Nest's error for an unknown token, and for a request-scoped or transient one
   */
  get<T>(token: ClassToken<T>): T;
  get<T = unknown>(token: InjectionToken): T;
  get(token: InjectionToken): unknown {
    return this.moduleRef.get<unknown>(token as Type, { strict: false });
  }

  /** A provider of any scope: of a request-scoped one, the instance of the current request. */
  resolve<T>(token: ClassToken<T>): Promise<T>;
  resolve<T = unknown>(token: InjectionToken): Promise<T>;
  resolve(token: InjectionToken): Promise<unknown> {
    const context = currentContext();
    const contextId = context
      ? contextIdOf(context.req, this.moduleRef)
      : ContextIdFactory.create();
    return this.moduleRef.resolve<unknown>(token as Type, contextId, { strict: false });
  }

  /** The same providers, for one request, whichever request is being served when they are asked for. */
  of(ctx: RequestContext): Pick<Container, 'get' | 'resolve'> {
    return new RequestContainer(this.moduleRef, ctx);
  }

  /** The id of a request's own providers. Assigned on first use: call it before Nest assigns its own, for a resolver. */
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
