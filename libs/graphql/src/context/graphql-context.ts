import type { ContextRequest, ContextResponse, RequestContext } from '@fledge/core';
import type { GraphqlContainer } from './graphql-container.js';

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
