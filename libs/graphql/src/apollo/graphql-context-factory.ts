import type { ContextRequest, ContextResponse } from '@fledge/core';
import { Injectable } from '@nestjs/common';
import type { OperationDefinitionNode } from 'graphql';
import type { IncomingMessage } from 'node:http';
import { GraphqlContext, GraphqlContexts } from '../context/graphql-context.js';
import { ApolloContextError } from '../graphql.errors.js';
import { providerFor } from '../nest-graphql-modules.js';
import { OperationCounts } from '../operation/operation-telemetry.js';

/**
 * The arguments that Apollo's integrations pass to `context`: one object on Express, two arguments
 * on Fastify.
 */
type HttpArgs =
  | readonly [{ readonly req: ContextRequest; readonly res: ContextResponse }]
  | readonly [ContextRequest, ContextResponse];

/** The argument that Nest's subscription server passes to `context`: the context of graphql-ws. */
type SocketArgs = readonly [SocketContext];

interface SocketContext {
  readonly connectionParams?: unknown;
  readonly extra: { readonly request: IncomingMessage };
}

/**
 * Creates `{ ctx, container }` for the resolvers of `GraphQLModule`. With `forRoot`, use the static
 * methods, which find the application through the request. With `forRootAsync`, inject the factory.
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
  ) {}

  /**
   * Use as `context` of `GraphQLModule.forRoot()`. Supports only HTTP.
   * @throws ApolloContextError for a socket, or if GraphqlApolloModule is missing
   */
  static readonly create = (...args: HttpArgs): Promise<GraphqlContext> => {
    const factory = providerFor(partsOf(args).req, GraphqlContextFactory);
    if (factory === undefined) return Promise.reject(new ApolloContextError());
    return factory.create(...args);
  };

  /**
   * Use in `plugins` of `GraphQLModule.forRoot()`. Counts the operations whose context came from
   * `create`. The counts are in the snapshot of the application's `GraphqlAdapter`.
   */
  static metricsPlugin(): MetricsPlugin {
    return metricsPlugin((context) =>
      context instanceof GraphqlContext ? context.container.get(OperationCounts) : undefined,
    );
  }

  /** Use as `context` of `GraphQLModule.forRootAsync()`. Supports HTTP and Nest's own sockets. */
  readonly create = async (...args: HttpArgs | SocketArgs): Promise<GraphqlContext> => {
    const [first] = args;
    if ('extra' in first && isSocketContext(first)) {
      const context = await this.contexts.ofOperation(first.extra.request, first.connectionParams);
      // Nest's own sockets do not say when an operation ends.
      this.contexts.end(context);
      return context;
    }
    const { req, res } = partsOf(args as HttpArgs);
    return this.contexts.ofNestRequest(req, res);
  };

  /**
   * Use in `plugins` of `GraphQLModule.forRootAsync()`. Counts the module's operations over HTTP.
   */
  metricsPlugin(): MetricsPlugin {
    return metricsPlugin(() => this.counts);
  }
}

/**
 * A plugin of Apollo Server. The type of `@apollo/server` is not used here: its declarations for
 * CommonJS and for ES modules are incompatible, and a CommonJS application has both.
 */
interface MetricsPlugin {
  requestDidStart(request: { readonly contextValue: object }): Promise<{
    /** If no operation has the requested name, `operation` is undefined. */
    executionDidStart(request: {
      readonly operation?: OperationDefinitionNode | undefined;
    }): Promise<void>;
    willSendResponse(request: { readonly errors?: readonly Error[] | undefined }): Promise<void>;
  }>;
}

function isSocketContext(first: object): first is SocketContext {
  const { extra } = first as Partial<SocketContext>;
  return typeof extra === 'object' && 'request' in extra;
}

/**
 * The Express integration passes one object with `req` and `res`. Fastify's request has no `req`.
 */
function partsOf([first, second]: HttpArgs) {
  if ('req' in first && 'res' in first) return first as Exclude<typeof first, ContextRequest>;
  return { req: first as ContextRequest, res: second as ContextResponse };
}

/**
 * Creates a plugin that counts the operations of Apollo Server.
 * @param countsOf returns the counts for the context of an operation. If it returns undefined, the
 * operation is not counted
 */
function metricsPlugin(countsOf: (context: object) => OperationCounts | undefined): MetricsPlugin {
  return {
    requestDidStart: ({ contextValue }) => {
      const counts = countsOf(contextValue);
      return Promise.resolve({
        executionDidStart: ({ operation }) => {
          if (operation !== undefined) counts?.started(operation.operation);
          return Promise.resolve();
        },
        // This hook also runs for operations that are rejected before execution, because of a
        // syntax error, a validation error or an unknown persisted query.
        willSendResponse: ({ errors = [] }) => {
          if (errors.length > 0) counts?.failed();
          return Promise.resolve();
        },
      });
    },
  };
}
