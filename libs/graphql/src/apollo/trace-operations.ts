import type {
  ApolloServer,
  ApolloServerPlugin,
  BaseContext,
  GraphQLRequestListener,
  HTTPGraphQLRequest,
} from '@apollo/server';
import { inSpan, type RunningSpan } from '@fledge/core/packages';
import { operationAttributesOf, SCOPE } from '../operation/operation-spans.js';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';

/** The span of each request that Apollo handles. */
const spans = new WeakMap<HTTPGraphQLRequest, RunningSpan>();

/**
 * Gives each operation of a `GraphQLModule` over HTTP a span, if the application registered an OpenTelemetry
 * SDK. Apollo's plugins cannot run resolvers inside a span, so the whole request runs in it, and a plugin
 * describes its operation. The operations of a batch share one span. Call this before modules are initialized.
 */
export function traceOperations(graphqlModule: NestGraphqlModule, withDocument: boolean): void {
  changeOptions<Options>(graphqlModule, ({ plugins = [], ...options }) => ({
    ...options,
    plugins: [...plugins, tracePlugin(withDocument)],
  }));
  const driver = graphqlModule.module.graphQlAdapter as unknown as Driver;
  const start = driver.start.bind(driver);
  driver.start = async (options) => {
    await start(options);
    traceRequests(driver.instance);
  };
}

function traceRequests(server: ApolloServer): void {
  const handle = server.executeHTTPGraphQLRequest.bind(server);
  server.executeHTTPGraphQLRequest = (given) => {
    const { httpGraphQLRequest: request } = given;
    if (!isOperation(request)) return handle(given);
    // The conventions' name for an operation of unknown type.
    return inSpan({ scope: SCOPE, kind: 'server', name: 'GraphQL Operation' }, (span) => {
      if (span !== undefined) spans.set(request, span);
      return handle(given);
    });
  };
}

/** Returns false for requests of the landing page. */
function isOperation({ method, search }: HTTPGraphQLRequest): boolean {
  return method === 'POST' || /[?&](query|extensions)=/.test(search);
}

function tracePlugin(withDocument: boolean): ApolloServerPlugin {
  return {
    requestDidStart: ({ request }) => {
      const span = request.http && spans.get(request.http);
      return Promise.resolve(span && listener(span, withDocument));
    },
  };
}

function listener(span: RunningSpan, withDocument: boolean): GraphQLRequestListener<BaseContext> {
  return {
    // Not `didResolveOperation`: in its types the operation may be missing.
    executionDidStart: ({ operation, document }) => {
      span.rename(operation.operation);
      span.set(operationAttributesOf(operation, withDocument ? document : undefined));
      return Promise.resolve();
    },
    willSendResponse: ({ errors }) => {
      const [error] = errors ?? [];
      if (error !== undefined) span.fail(error);
      return Promise.resolve();
    },
  };
}

/** The members of a `@nestjs/apollo` driver that are used here. */
interface Driver {
  /** Undefined before `start()`. */
  readonly instance: ApolloServer;
  start(options: unknown): Promise<unknown>;
}

interface Options {
  readonly plugins?: readonly ApolloServerPlugin[];
}
