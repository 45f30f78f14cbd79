import type { ApolloServerPlugin } from '@apollo/server';
import type { ContextRequest, ContextResponse } from '@fledge/core';
import { type HttpServer, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage } from 'node:http';
import { GraphqlContext } from '../context/graphql-context.js';
import { GraphqlContexts } from '../context/graphql-contexts.js';
import { ApolloContextError } from '../graphql.errors.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { metricsPlugin } from './metrics-plugin.js';

/** What Apollo's integrations hand to `context`: Express' in one object, Fastify's as two arguments. */
type HttpArgs =
  | readonly [{ readonly req: ContextRequest; readonly res: ContextResponse }]
  | readonly [ContextRequest, ContextResponse];

/** What Nest's own subscription server hands to it: the context of graphql-ws. */
type SocketArgs = readonly [SocketContext];

interface SocketContext {
  readonly connectionParams?: unknown;
  readonly extra: { readonly request: IncomingMessage };
}

/** By Express' application or Fastify's instance, which a request tells. */
const factories = new WeakMap<object, GraphqlContextFactory>();

/**
 * Makes `{ ctx, container }` for the resolvers of `GraphQLModule`. Injected, for `forRootAsync`; or
 * by its static methods, for `forRoot`, where the request tells the application.
 *
 * @example
 * ```ts
 * imports: [
 *   GraphqlApolloModule.forRoot(),
 *   GraphQLModule.forRoot<ApolloDriverConfig>({
 *     driver: ApolloDriver,
 *     autoSchemaFile: true,
 *     context: GraphqlContextFactory.create,
 *     plugins: [GraphqlContextFactory.metricsPlugin()],
 *   }),
 * ]
 * ```
 */
@Injectable()
export class GraphqlContextFactory {
  constructor(
    private readonly contexts: GraphqlContexts,
    private readonly counts: OperationCounts,
    host: HttpAdapterHost,
  ) {
    // Declared to be there always; null in an application without HTTP.
    const adapter = host.httpAdapter as HttpServer | null;
    if (adapter) factories.set(adapter.getInstance() as object, this);
  }

  /**
   * For `context` of `GraphQLModule.forRoot()`, over HTTP.
   * @throws ApolloContextError where the application has no GraphqlApolloModule, and for a socket
   */
  static readonly create = (...args: HttpArgs): Promise<GraphqlContext> => {
    const factory = factoryFor(requestOf(args));
    if (factory === undefined) return Promise.reject(new ApolloContextError());
    return factory.create(...args);
  };

  /**
   * For `plugins` of `GraphQLModule.forRoot()`: counts the operations whose context was made by
   * `create`, to be seen in the snapshot of their application's `GraphqlAdapter`.
   */
  static metricsPlugin(): ApolloServerPlugin {
    return metricsPlugin((context) =>
      context instanceof GraphqlContext ? context.container.get(OperationCounts) : undefined,
    );
  }

  /** For `context` of `GraphQLModule.forRootAsync()`: over HTTP, and over Nest's own sockets. */
  readonly create = async (...args: HttpArgs | SocketArgs): Promise<GraphqlContext> => {
    const [first] = args;
    if ('extra' in first && isSocketContext(first)) {
      return this.contexts.ofOperation(first.extra.request, first.connectionParams);
    }
    const http = args as HttpArgs;
    return this.contexts.ofNestRequest(requestOf(http), responseOf(http));
  };

  /** For `plugins` of `GraphQLModule.forRootAsync()`: counts every operation of that module over HTTP. */
  metricsPlugin(): ApolloServerPlugin {
    return metricsPlugin(() => this.counts);
  }
}

function isSocketContext(first: object): first is SocketContext {
  const { extra } = first as Partial<SocketContext>;
  return typeof extra === 'object' && 'request' in extra;
}

function requestOf([first]: HttpArgs): ContextRequest {
  return isExpress(first) ? first.req : first;
}

function responseOf([first, second]: HttpArgs): ContextResponse {
  return isExpress(first) ? first.res : (second as ContextResponse);
}

function isExpress(first: HttpArgs[0]): first is Exclude<HttpArgs[0], ContextRequest> {
  // Fastify's request has no `req` of its own; Express' integration gives an object of the two.
  return 'req' in first && 'res' in first;
}

/**
 * By `req.app` of Express, `request.server` of Fastify. A route that a Fastify plugin adds, as
 * Mercurius does, has an instance that inherits from the application's.
 */
function factoryFor(request: ContextRequest): GraphqlContextFactory | undefined {
  let app = (request['app'] ?? request['server']) as object | null | undefined;
  for (; app; app = Object.getPrototypeOf(app) as object | null) {
    const factory = factories.get(app);
    if (factory !== undefined) return factory;
  }
  return undefined;
}
