import {
  All,
  Controller,
  Inject,
  Next,
  Req,
  Res,
  type Type,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { GraphqlEndpoint } from './graphql-endpoint.js';
import type { FastifyReply } from './parser-errors.js';
import type { BodyRequest } from './request-body.js';

/** Creates the controller of a mount with `mountAs: 'route'`: one class for each path. */
export function graphqlRoute(): Type {
  @Controller()
  class GraphqlRoute {
    constructor(@Inject(GraphqlEndpoint) private readonly endpoint: GraphqlEndpoint) {}

    @All()
    serve(
      @Req() req: BodyRequest,
      @Res() res: ServerResponse | FastifyReply,
      @Next() next: (error?: unknown) => void,
    ): Promise<void> {
      return this.endpoint.serveRoute(req, res, next);
    }
  }
  return GraphqlRoute;
}

/** Sets the path of a controller. Options may come from a factory; Nest reads the path after that. */
export function setRoutePath(route: Type, path: string): void {
  Controller({ path, version: VERSION_NEUTRAL })(route);
}
