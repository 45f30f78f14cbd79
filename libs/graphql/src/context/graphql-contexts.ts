import {
  Container,
  type ContextRequest,
  type ContextResponse,
  type RequestContext,
} from '@fledge/core';
import { CallerHeaders, RequestContexts } from '@fledge/core/packages';
import { type HttpServer, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ClientAddress, clientAddressOf } from './client-address.js';
import { connectionHeaders } from './connection-headers.js';
import { type ContextTransport, GraphqlContext } from './graphql-context.js';

/** Creates the context of resolvers for HTTP requests and for operations of sockets. */
@Injectable()
export class GraphqlContexts {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly container: Container,
    private readonly callerHeaders: CallerHeaders,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * Returns the context for an HTTP request, based on its request context.
   * @param req of the platform or of Node, which has the properties that core needs, under other types
   * @throws NoRequestContextError for a request that bypassed the application's middleware
   */
  ofRequest(req: object, res: object): GraphqlContext {
    return this.on(this.contexts.of(req as ContextRequest, res as ContextResponse));
  }

  /**
   * Returns the context for resolvers of `@nestjs/graphql`. `container.resolve()` returns the instances that
   * Nest injects into them.
   * @throws NoRequestContextError
   */
  ofNestRequest(req: ContextRequest, res: ContextResponse): GraphqlContext {
    return this.onForNest(this.contexts.of(req, res));
  }

  /**
   * Opens a request context for one operation of a socket. It has the headers of the connection, a new
   * look-up of the tenant and other openers, the address of the client, and request-scoped providers that end with the operation.
   * The caller runs `RequestGate`: mounts do, and Nest runs it for resolvers of `@nestjs/graphql`.
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
    const request = requestOf(upgrade, headers, this.addressOf(upgrade));
    return this.onForNest(await this.contexts.open(request, new SocketResponse()), 'socket');
  }

  /** Returns the address of an upgrade's client, as requests of the platform have it. */
  addressOf(upgrade: IncomingMessage): ClientAddress {
    // The type excludes null, but it is null in an application without HTTP.
    return clientAddressOf(this.host.httpAdapter as HttpServer | null, upgrade);
  }

  /**
   * Returns the headers of a socket's operations. Called before the connection is acknowledged too, so a
   * conflict closes it with 4403.
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

  /** Returns `authorization` and the headers that identify the caller, such as the tenant's. */
  headerNames(): readonly string[] {
    return ['authorization', ...this.callerHeaders.names];
  }

  /** Checks the tenant against the user, after guards have set the user. Throws if they do not fit. */
  async bind({ ctx }: GraphqlContext): Promise<void> {
    await this.contexts.bind(ctx);
  }

  /** Runs a function inside the request context of an operation. */
  run<T>(context: GraphqlContext, run: () => T): T {
    return this.contexts.run(context.ctx, run);
  }

  private on(ctx: RequestContext, transport?: ContextTransport): GraphqlContext {
    return new GraphqlContext(ctx, this.container.of(ctx), transport);
  }

  private onForNest(ctx: RequestContext, transport?: ContextTransport): GraphqlContext {
    // Assigned before Nest assigns its own. Skipped for other requests: it takes a tenth of a request's time.
    this.container.contextIdOf(ctx);
    return this.on(ctx, transport);
  }
}

/** Stands for the response of a socket's operation. Headers that guards set, such as a throttler, are not sent. */
class SocketResponse implements ContextResponse {
  statusCode = 200;
  readonly [property: string]: unknown;

  /** As Express and Fastify name it. */
  header(): this {
    return this;
  }

  /** As Node names it. */
  setHeader(): this {
    return this;
  }
}

/** Derives a request for one operation from the upgrade request. Properties set on it stay on it. */
function requestOf(
  upgrade: IncomingMessage,
  headers: IncomingHttpHeaders,
  { ip, ips }: ClientAddress,
): ContextRequest {
  const [, search = ''] = (upgrade.url ?? '').split('?');
  const query: Record<string, string | string[]> = Object.create(null) as typeof query;
  for (const [key, value] of new URLSearchParams(search)) {
    query[key] = key in query ? [query[key]!, value].flat() : value;
  }
  return Object.create(upgrade, {
    headers: { value: headers, enumerable: true },
    query: { value: query, enumerable: true },
    ip: { value: ip, enumerable: true, writable: true },
    ips: { value: ips, enumerable: true, writable: true },
  }) as ContextRequest;
}
