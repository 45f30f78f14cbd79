import type { ClsStore } from 'nestjs-cls';
import type { ContextRequest, ContextResponse } from './platform.js';
import { RequestContext, WITHHELD, type WithheldValues } from './request-context.js';
import type { ProviderLookup } from './shared-methods.js';
import type { ExecutionContext } from '@nestjs/common';

/** Exists as soon as the request arrives. */
export class OpenContext extends RequestContext {
  /** Context decorators that ran, or are running, for this request. */
  contributed: Map<object, Promise<void>> | undefined;
  /** The cls store that last served the request. */
  store: ClsStore | undefined;
  override readonly state: {
    req: ContextRequest;
    res: ContextResponse;
    readonly values: Map<string, unknown>;
    readonly kept: Map<symbol, unknown>;
    readonly provided: ProviderLookup;
  };

  constructor(
    req: ContextRequest,
    res: ContextResponse,
    provided: ProviderLookup = () => undefined,
  ) {
    super();
    this.state = { req, res, values: new Map(), kept: new Map(), provided };
    (req as OpenedRequest)[OPENED] = this;
  }

  /** On Fastify, middleware receives Node's request. Later steps receive Fastify's own request. */
  attach(req: ContextRequest, res: ContextResponse): void {
    this.state.req = req;
    this.state.res = res;
  }
}

/**
 * Makes `ctx.require(key)` throw this error instead of `MissingContextValueError` while the key has
 * no value. Use this if clients must not see why a value is missing.
 */
export function withhold(ctx: RequestContext, key: string, error: () => Error): void {
  ctx.memo(WITHHELD, (): WithheldValues => new Map()).set(key, error);
}

export function openContextOf(req: OpenedRequest | undefined): OpenContext | undefined {
  return req?.[OPENED] ?? (req?.raw as OpenedRequest | undefined)?.[OPENED];
}

/**
 * The context is stored on the request, so it stays available if another initializer of nestjs-cls
 * replaces the cls store. A WeakMap with requests as keys would cost the garbage collector 10 µs
 * for each request.
 */
const OPENED = Symbol('fledge:OpenContext');

type OpenedRequest = ContextRequest & { [OPENED]?: OpenContext };

/**
 * Returns the context of the request for which a guard, an interceptor or a parameter decorator
 * runs. Supports HTTP handlers and GraphQL resolvers. Returns undefined for messages and sockets,
 * because these are not requests.
 */
export function contextOfExecution(execution: ExecutionContext): OpenContext | undefined {
  switch (execution.getType<'http' | 'graphql' | 'rpc' | 'ws'>()) {
    case 'http': {
      const req = execution.getArgByIndex<ContextRequest>(0);
      const context = openContextOf(req);
      if (context && context.state.req !== req) context.attach(req, execution.getArgByIndex(1));
      return context;
    }
    case 'graphql':
      return contextOfResolver(execution.getArgByIndex<GraphqlContext | undefined>(2));
    default:
      return undefined;
  }
}

/**
 * The context that drivers pass to resolvers: `{ req, res }` of Apollo (`reply` on Fastify), or `{
 * ctx }` of Fledge.
 */
interface GraphqlContext {
  readonly ctx?: unknown;
  readonly req?: ContextRequest;
  readonly res?: ContextResponse;
  readonly reply?: ContextResponse;
}

function contextOfResolver(graphql: GraphqlContext | undefined): OpenContext | undefined {
  if (graphql?.ctx instanceof OpenContext) return graphql.ctx;
  const context = openContextOf(graphql?.req);
  if (context && graphql?.req && context.state.req !== graphql.req) {
    context.attach(graphql.req, graphql.reply ?? graphql.res ?? context.state.res);
  }
  return context;
}
