import {
  CallerHeaders,
  Container,
  type ContextRequest,
  type ContextResponse,
  type RequestContext,
  RequestContexts,
} from '@fledge/core';
import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { connectionHeaders } from './connection-headers.js';
import { GraphqlContext } from './graphql-context.js';

/** Makes what resolvers get, alike on both transports. */
@Injectable()
export class GraphqlContexts {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly container: Container,
    private readonly callerHeaders: CallerHeaders,
  ) {}

  /**
   * Of an HTTP request: on the request context that was opened when it arrived.
   * @throws NoRequestContextError for a request that did not come through the application
   */
  ofRequest(req: ContextRequest, res: ContextResponse): GraphqlContext {
    return this.on(this.contexts.of(req, res));
  }

  /**
   * The same for resolvers that Nest constructs: their request-scoped providers are those that
   * `container.resolve()` gives.
   * @throws NoRequestContextError
   */
  ofNestRequest(req: ContextRequest, res: ContextResponse): GraphqlContext {
    return this.onForNest(this.contexts.of(req, res));
  }

  /**
   * Of one operation of a socket, which is served as a request of its own: with the headers of the
   * connection, the openers (the tenant) asked anew, and request-scoped providers that end with it.
   * What runs before handlers (`RequestGate`) did not run: mounts run it, Nest's resolvers do by themselves.
   *
   * @param connectionHeaders names that `connectionParams` may supply @default `headerNames()`
   * @throws ConnectionHeaderError
   */
  async ofOperation(
    upgrade: IncomingMessage,
    connectionParams: unknown,
    connectionHeaders: readonly string[] = this.headerNames(),
  ): Promise<GraphqlContext> {
    const headers = this.headersOf(upgrade, connectionParams, connectionHeaders);
    return this.onForNest(await this.contexts.open(requestOf(upgrade, headers)));
  }

  /**
   * The headers of every operation of a socket. Call it when the connection is acknowledged too:
   * a conflict closes it with 4403.
   * @throws ConnectionHeaderError
   */
  headersOf(
    upgrade: IncomingMessage,
    connectionParams: unknown,
    names: readonly string[] = this.headerNames(),
  ): IncomingHttpHeaders {
    return connectionHeaders(
      upgrade.headers,
      connectionParams,
      names.map((name) => name.toLowerCase()),
    );
  }

  /** `authorization`, and the headers that say for whom a request is made, such as the tenant's. */
  headerNames(): readonly string[] {
    return ['authorization', ...this.callerHeaders.names];
  }

  /** Runs a function inside the request context of an operation. */
  run<T>(context: GraphqlContext, run: () => T): T {
    return this.contexts.run(context.ctx, run);
  }

  private on(ctx: RequestContext): GraphqlContext {
    return new GraphqlContext(ctx, this.container.of(ctx));
  }

  private onForNest(ctx: RequestContext): GraphqlContext {
    // Nest gives an id of its own to what has none. Not for every request: it costs a tenth of one.
    this.container.contextIdOf(ctx);
    return this.on(ctx);
  }
}

/** The upgrade request, seen as the request of one operation: what is set on it stays there. */
function requestOf(upgrade: IncomingMessage, headers: IncomingHttpHeaders): ContextRequest {
  const [, search = ''] = (upgrade.url ?? '').split('?');
  const query: Record<string, string | string[]> = Object.create(null) as typeof query;
  for (const [key, value] of new URLSearchParams(search)) {
    query[key] = key in query ? [query[key]!, value].flat() : value;
  }
  return Object.create(upgrade, {
    headers: { value: headers, enumerable: true },
    query: { value: query, enumerable: true },
  }) as ContextRequest;
}
