import {
  Container,
  type ContextRequest,
  type ContextResponse,
  type RequestContext,
} from '@fledge/core';
import { CallerHeaders, RequestContexts } from '@fledge/core/packages';
import { type HttpServer, Injectable } from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type ClientAddress, clientAddressOf } from './client-address.js';
import { connectionHeaders, socketRequest, SocketResponse } from './socket-request.js';

type ContextTransport = 'http' | 'socket';

/**
 * The context of resolvers, over HTTP and WebSocket: `{ ctx, container }`.
 *
 * Getters provide `req` and `res` for guards and drivers that read `context.req`. Over a WebSocket,
 * the request has the headers of the connection.
 */
export class GraphqlContext {
  /**
   * The headers of a socket's operation. Undefined over HTTP, so applications can distinguish HTTP
   * from sockets: `const { req, headers } = context; return headers ? { headers } : req`.
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

/**
 * The application's providers, for one GraphQL operation. `get()` returns a singleton, and throws
 * Nest's error for other providers. `resolve()` returns a provider of any scope. A request-scoped
 * provider has one instance per operation.
 */
export type GraphqlContainer = Pick<Container, 'get' | 'resolve'>;

/** Creates the resolver context for HTTP requests and for operations of sockets. */
@Injectable()
export class GraphqlContexts {
  constructor(
    private readonly contexts: RequestContexts,
    private readonly container: Container,
    private readonly callerHeaders: CallerHeaders,
    private readonly host: HttpAdapterHost,
    private readonly moduleRef: ModuleRef,
  ) {}

  /**
   * Returns the resolver context for an HTTP request, based on its request context.
   * @param req the request of the platform or of Node. It has the properties that core requires,
   * but their types differ
   * @throws NoRequestContextError if the request bypassed the application's middleware
   */
  ofRequest(req: object, res: object): GraphqlContext {
    const ctx = this.contexts.of(req as ContextRequest, res as ContextResponse);
    return new GraphqlContext(ctx, this.container.of(ctx));
  }

  /**
   * Returns the context for resolvers of `@nestjs/graphql`. `container.resolve()` returns the
   * instances that Nest injects into these resolvers.
   * @throws NoRequestContextError
   */
  ofNestRequest(req: ContextRequest, res: ContextResponse): GraphqlContext {
    return this.onForNest(this.contexts.of(req, res));
  }

  /**
   * Opens a request context for one operation of a socket. The context has the headers of the
   * connection and the address of the client. Its request-scoped providers end with the operation.
   * Openers run, so the tenant is resolved again. Pass the context to `end` when it is not used
   * anymore. The caller must run `RequestGate`. Mounts call it
   * themselves. Nest calls it for resolvers of `@nestjs/graphql`.
   *
   * @param names headers that `connectionParams` may contain
   * @throws ConnectionHeaderError
   */
  async ofOperation(
    upgrade: IncomingMessage,
    connectionParams: unknown,
    names?: readonly string[],
  ): Promise<GraphqlContext> {
    const headers = this.headersOf(upgrade, connectionParams, names);
    const request = socketRequest(upgrade, headers, this.addressOf(upgrade));
    const response = new SocketResponse();
    try {
      return this.onForNest(await this.contexts.open(request, response), 'socket');
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /** Returns the client address of an upgrade, in the same form as the platform's requests. */
  addressOf(upgrade: IncomingMessage): ClientAddress {
    // The type excludes null. But the adapter is null in an application without HTTP.
    return clientAddressOf(this.host.httpAdapter as HttpServer | null, upgrade);
  }

  /**
   * Returns the headers of a socket's operations. This function is also called before the
   * connection is acknowledged, so conflicting headers close the connection with 4403.
   * @param names headers that `connectionParams` may contain. By default, `authorization` and the
   * headers that identify the caller
   * @throws ConnectionHeaderError
   */
  headersOf(
    upgrade: IncomingMessage,
    connectionParams: unknown,
    names: readonly string[] = ['authorization', ...this.callerHeaders.names],
  ): IncomingHttpHeaders {
    const lowerCase = names.map((name) => name.toLowerCase());
    return connectionHeaders(upgrade.headers, connectionParams, lowerCase);
  }

  /** Throws if the user does not belong to the tenant. Call this after guards have set the user. */
  async bind({ ctx }: GraphqlContext): Promise<void> {
    await this.contexts.bind(ctx);
  }

  run<T>(context: GraphqlContext, run: () => T): T {
    return this.contexts.run(context.ctx, run);
  }

  /**
   * Ends the response of a context that `ofOperation` opened. Call this when no resolver or guard
   * uses the context anymore.
   */
  end({ res }: GraphqlContext): void {
    if (res instanceof SocketResponse) res.destroy();
  }

  private onForNest(ctx: RequestContext, transport?: ContextTransport): GraphqlContext {
    const context = new GraphqlContext(ctx, this.container.of(ctx), transport);
    // This context id must be assigned before Nest assigns another one. Only resolvers of Nest need
    // the id. The assignment takes a tenth of a request's time.
    const id = this.container.contextIdOf(ctx);
    // Nest registers the same value for `@Inject(CONTEXT)` when it creates a request-scoped resolver.
    this.moduleRef.registerRequestByContextId(id.getParent ? id.payload : context, id);
    return context;
  }
}
