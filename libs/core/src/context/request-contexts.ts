import { type ExecutionContext, Injectable, type InjectionToken, Optional } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { enterContext, OpenContext, openContextOf, openRequestContext } from './open-context.js';
import { NoRequestContextError } from '../errors.js';
import { bindEvents } from './bind-callbacks.js';
import type { ContextRequest, ContextResponse } from './platform.js';
import type { RequestContext } from './request-context.js';
import type { RequestOpener } from './request-opener.js';

/** Opens request contexts for HTTP requests and for other operations, such as socket operations. */
@Injectable()
export class RequestContexts {
  private readonly openers: RequestOpener[] = [];
  private readonly passed: ((path: string) => boolean)[] = [];

  /** Providers that packages looked up. Undefined if a provider is missing. */
  private readonly found = new Map<InjectionToken, unknown>();

  constructor(@Optional() private readonly modules?: ModulesContainer) {}

  /** Adds an opener. Openers run for each request, in the order of registration. */
  register(opener: RequestOpener): void {
    this.openers.push(opener);
  }

  /**
   * Skips openers for the paths that `matches` accepts, so requests for these paths have no tenant.
   * Used for pages that a package serves.
   * @param matches receives the path that is used for routing
   */
  passOver(matches: (path: string) => boolean): void {
    this.passed.push(matches);
  }

  /**
   * Returns true if openers do not run for a request.
   * @param url with or without a query string
   */
  isPassedOver(url: string | undefined): boolean {
    if (this.passed.length === 0 || url === undefined) return false;
    const path = url.replace(/[?#].*$/s, '');
    return this.passed.some((matches) => matches(path));
  }

  /** The context keys that openers set before context decorators run. */
  get supplied(): ReadonlySet<string> {
    return new Set(this.openers.flatMap(({ supplies = [] }) => supplies));
  }

  /**
   * Returns the context of an HTTP request, and attaches the platform's request and response to it.
   * @throws NoRequestContextError if the application does not serve the request
   */
  of(req: ContextRequest, res: ContextResponse): RequestContext {
    const context = openContextOf(req);
    if (context === undefined) throw new NoRequestContextError();
    // Do not replace Fastify's request with Node's.
    const { req: known } = context.state;
    if (known !== req && known.raw !== req) context.attach(req, res);
    return context;
  }

  /**
   * Opens a context for an operation that is not an HTTP request. Enter it with `run`.
   * @param res the response that receives the status of `ctx.json()`
   * @default an object that is not sent
   */
  async open(
    req: ContextRequest,
    res: ContextResponse = { statusCode: 200 },
  ): Promise<RequestContext> {
    const context = new OpenContext(req, res, this.provided);
    await enterContext(context, () => this.ask(context));
    return context;
  }

  /** Runs a function inside a context, in a new cls store. */
  run<T>(ctx: RequestContext, run: () => T): T {
    if (!(ctx instanceof OpenContext)) {
      throw new TypeError(
        'RequestContexts.run() requires a context that `open()` or `of()` returned.',
      );
    }
    return enterContext(ctx, run);
  }

  /**
   * Runs a function in a context without running openers. For example, the panel describes a
   * request that nobody sent.
   */
  runUnopened<T>(req: ContextRequest, run: () => T): T {
    return enterContext(new OpenContext(req, { statusCode: 200 }, this.provided), run);
  }

  /** The middleware of HTTP requests. */
  serve(req: ContextRequest, res: ContextResponse, next: (error?: unknown) => void): void {
    const context = new OpenContext(req, res, this.provided);
    openRequestContext(context, () => {
      bindEvents(req);
      bindEvents(res);
      const asked = this.isPassedOver(req.url) ? undefined : this.ask(context);
      if (asked === undefined) next();
      else asked.then(() => next(), next);
    });
  }

  /** Calls `admit` of each opener. Throws if one of them rejects the request. */
  admit(execution: ExecutionContext, ctx: RequestContext): void {
    for (const opener of this.openers) opener.admit?.(execution, ctx);
  }

  /**
   * Calls `bind` of each opener, one after the other. Throws if the request does not match the
   * authenticated user. Returns a promise only if an opener returns one.
   */
  bind(ctx: RequestContext, from = 0): void | Promise<void> {
    for (let i = from; i < this.openers.length; i += 1) {
      const bound = this.openers[i]!.bind?.(ctx);
      if (bound !== undefined) return bound.then(() => this.bind(ctx, i + 1));
    }
  }

  /** Every module is searched, but only once for each token. */
  private readonly provided = (token: InjectionToken): unknown => {
    if (!this.found.has(token)) this.found.set(token, this.lookUp(token));
    return this.found.get(token);
  };

  private lookUp(token: InjectionToken): unknown {
    const modules = [...(this.modules?.values() ?? [])];
    return modules.find(({ providers }) => providers.has(token))?.providers.get(token)?.instance;
  }

  /** Returns a promise only if an opener returns one. */
  private ask(ctx: RequestContext, from = 0): Promise<void> | undefined {
    for (let i = from; i < this.openers.length; i += 1) {
      const opened = this.openers[i]!.open(ctx);
      if (opened !== undefined) return opened.then(() => this.ask(ctx, i + 1));
    }
    return undefined;
  }
}
