import type { ContextRequest, ContextResponse, RequestContext } from '@fledge/core';
import type { InjectionToken } from '@nestjs/common';

/** Over which an operation came. */
export type ContextTransport = 'http' | 'socket';

/**
 * The context of resolvers, over HTTP and WebSocket: `{ ctx, container }`.
 *
 * Getters provide `req` and `res` for guards and drivers that read `context.req`. Over a WebSocket, the request has
 * the headers of the connection.
 */
export class GraphqlContext {
  /**
   * The headers of a socket's operation. Undefined over HTTP: applications tell the two apart by it, as in
   * `const { req, headers } = context; return headers ? { headers } : req`.
   */
  declare readonly headers?: ContextRequest['headers'];

  constructor(
    readonly ctx: RequestContext,
    readonly container: GraphqlContainer,
    transport: ContextTransport = 'http',
  ) {
    if (transport === 'socket') Object.defineProperty(this, 'headers', { get: () => ctx.headers });
  }

  get req(): ContextRequest {
    return this.ctx.req;
  }

  get res(): ContextResponse {
    return this.ctx.res;
  }
}

/** The application's providers, for one GraphQL operation. */
export interface GraphqlContainer {
  /**
   * Returns a singleton provider.
   * @throws Nest's error for an unknown token, and for a request-scoped or transient provider
   */
  get<T>(token: ClassToken<T>): T;
  get<T = unknown>(token: InjectionToken): T;
  /** Returns a provider of any scope. A request-scoped provider has one instance per operation. */
  resolve<T>(token: ClassToken<T>): Promise<T>;
  resolve<T = unknown>(token: InjectionToken): Promise<T>;
}

type ClassToken<T> = abstract new (...args: never[]) => T;
