import type { ContextRequest, ContextResponse, RequestContext } from '@fledge/core';
import type { GraphqlContainer } from './graphql-container.js';

/**
 * The context of resolvers, over HTTP and WebSocket: `{ ctx, container }`.
 *
 * Getters provide `req`, `res` and `headers` for guards and drivers that read `context.req`. Over a
 * WebSocket, the request has the headers of the connection.
 */
export class GraphqlContext {
  constructor(
    readonly ctx: RequestContext,
    readonly container: GraphqlContainer,
  ) {}

  get req(): ContextRequest {
    return this.ctx.req;
  }

  get res(): ContextResponse {
    return this.ctx.res;
  }

  get headers(): ContextRequest['headers'] {
    return this.ctx.headers;
  }
}
