import { type ExecutionContext, Injectable, type InjectionToken, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { bindEvents } from './bind-events.js';
import { enterContext, openRequestContext } from './current-context.js';
import { NoRequestContextError } from '../core.errors.js';
import { OpenContext, openContextOf } from './open-context.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import type { RequestContext } from './request-context.js';
import type { RequestOpener } from './request-opener.js';

/**
 * Opens request contexts: of HTTP requests, and of what a protocol of its own serves, such as the
 * operations of a socket.
 */
@Injectable()
export class RequestContexts {
  private readonly openers: RequestOpener[] = [];

  /** Providers that packages looked up, and undefined for those that are missing. */
  private readonly found = new Map<InjectionToken, unknown>();

  constructor(@Optional() private readonly modules?: ModulesContainer) {}

  /** Has a module look at every request from now on, behind those registered before. */
  register(opener: RequestOpener): void {
    this.openers.push(opener);
  }

  /** The context keys that are there before any context decorator runs. */
  get supplied(): ReadonlySet<string> {
    return new Set(this.openers.flatMap(({ supplies = [] }) => supplies));
  }

  /**
   * The context of an HTTP request, which has the platform's own request and response from now on.
   * @throws NoRequestContextError for a request that did not come through the application
   */
  of(req: ContextRequest, res: ContextResponse): RequestContext {
    const context = openContextOf(req);
    if (context === undefined) throw new NoRequestContextError();
    // Node's own request never takes the place of Fastify's.
    if (context.req !== req && context.req.raw !== req) context.attach(req, res);
    return context;
  }

  /**
   * A context for what is served as if it were a request of its own. `run` enters it.
   * @param res where `ctx.json()` puts the status @default nowhere
   */
  async open(
    req: ContextRequest,
    res: ContextResponse = { statusCode: 200 },
  ): Promise<RequestContext> {
    const context = new OpenContext(req, res, this.provided);
    await enterContext(context, () => this.ask(context));
    return context;
  }

  /** Runs a function inside a context, in a cls store of its own that holds nothing else. */
  run<T>(ctx: RequestContext, run: () => T): T {
    if (!(ctx instanceof OpenContext)) {
      throw new TypeError('RequestContexts.run() takes what open() or of() returned.');
    }
    return enterContext(ctx, run);
  }

  /** The middleware of HTTP requests. */
  serve(req: ContextRequest, res: ContextResponse, next: (error?: unknown) => void): void {
    const context = new OpenContext(req, res, this.provided);
    openRequestContext(context, () => {
      bindEvents(req);
      bindEvents(res);
      const asked = this.ask(context);
      if (asked === undefined) next();
      else asked.then(() => next(), next);
    });
  }

  /** Lets a request pass to a handler, or throws. */
  admit(execution: ExecutionContext, ctx: RequestContext): void {
    for (const opener of this.openers) opener.admit?.(execution, ctx);
  }

  /** Holds a request against whoever is authenticated, or throws. */
  bind(ctx: RequestContext): void {
    for (const opener of this.openers) opener.bind?.(ctx);
  }

  /** Looks in every module, once for each token. */
  private readonly provided = (token: InjectionToken): unknown => {
    if (!this.found.has(token)) this.found.set(token, this.lookUp(token));
    return this.found.get(token);
  };

  private lookUp(token: InjectionToken): unknown {
    const modules = [...(this.modules?.values() ?? [])];
    return modules.find(({ providers }) => providers.has(token))?.providers.get(token)?.instance;
  }

  /** Asks one opener after the other; without a promise where none has to wait. */
  private ask(ctx: RequestContext, from = 0): Promise<void> | undefined {
    for (let i = from; i < this.openers.length; i += 1) {
      const opened = this.openers[i]!.open(ctx);
      if (opened !== undefined) return opened.then(() => this.ask(ctx, i + 1));
    }
    return undefined;
  }
}
