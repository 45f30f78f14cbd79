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

/** The controller of a mount that is a route: a class for each, because each has a path of its own. */
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

/** Options may come from a factory: the path is known when providers are made, and read by Nest later. */
export function placeRoute(route: Type, path: string): void {
  Controller({ path, version: VERSION_NEUTRAL })(route);
}
