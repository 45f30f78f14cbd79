import type { ContextRequest, ContextResponse, RequestContext } from '@fledge/core';
import type { GraphqlContainer } from './graphql-container.js';

/**
 * What every resolver gets, over HTTP and over a socket: `{ ctx, container }`.
 *
 * The request is there by getters, for guards and drivers that look for `context.req`; over a
 * socket it has the headers of the connection.
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
