import { Injectable, type InjectionToken, type Type } from '@nestjs/common';
import { ContextIdFactory, ModuleRef } from '@nestjs/core';
import { contextIdOf } from '../context/context-id.js';
import { currentContext } from '../context/current-context.js';
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

  /** The same providers, for one request, whichever request is being served when it is asked. */
  of(ctx: RequestContext): Pick<Container, 'get' | 'resolve'> {
    const { moduleRef } = this;
    const contextId = contextIdOf(ctx.req, moduleRef);
    return {
      get: this.get.bind(this),
      resolve: (token: InjectionToken) =>
        moduleRef.resolve<never>(token as Type, contextId, { strict: false }),
    };
  }
}

type ClassToken<T> = abstract new (...args: never[]) => T;
