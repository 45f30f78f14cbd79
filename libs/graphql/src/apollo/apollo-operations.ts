import type {
  ApolloServer,
  ApolloServerPlugin,
  BaseContext,
  GraphQLRequestListener,
  HTTPGraphQLRequest,
} from '@apollo/server';
import { inSpan, type RunningSpan } from '@fledge/core/packages';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LimitCheck } from '../limits/operation-limits.js';
import { changeOptions, type NestGraphqlModule } from '../nest-graphql-modules.js';
import { failSpan, operationAttributesOf, SCOPE } from '../operation/operation-telemetry.js';
import { watchScalars } from '../operation/returned-value-errors.js';
import type { ReadNestOptions } from '../graphql.defaults.js';

/** The running span of each HTTP request that Apollo handles. */
const spans = new WeakMap<HTTPGraphQLRequest, RunningSpan>();

/**
 * Applies limits to the HTTP operations of a `GraphQLModule`. If the application registered an
 * OpenTelemetry SDK, each operation also gets a span. Apollo's plugins cannot run resolvers inside
 * a span. So the whole request runs inside the span. A plugin adds the attributes of the operation
 * to the span. The operations of a batch share one span. Call this before modules are initialized.
 */
export function watchOperations(graphqlModule: NestGraphqlModule, options: ReadNestOptions): void {
  const plugin = operationPlugin(new LimitCheck(options.limits), options.traceDocument);
  changeOptions<Options>(graphqlModule, ({ plugins = [], ...others }) => ({
    ...others,
    plugins: [plugin, ...plugins],
  }));
  const driver = graphqlModule.module.graphQlAdapter as unknown as Driver;
  const start = driver.start.bind(driver);
  driver.start = async (given) => {
    await start(given);
    traceRequests(driver.instance);
  };
}

function traceRequests(server: ApolloServer): void {
  const handle = server.executeHTTPGraphQLRequest.bind(server);
  server.executeHTTPGraphQLRequest = (given) => {
    const { httpGraphQLRequest: request } = given;
    if (!isOperation(request)) return handle(given);
    // The span name in the OpenTelemetry conventions for an operation of unknown type.
    return inSpan({ scope: SCOPE, kind: 'server', name: 'GraphQL Operation' }, (span) => {
      if (span !== undefined) spans.set(request, span);
      return handle(given);
    });
  };
}

function isOperation({ method, search }: HTTPGraphQLRequest): boolean {
  // Requests of other kinds load the landing page.
  return method === 'POST' || /[?&](query|extensions)=/.test(search);
}

function operationPlugin(check: LimitCheck, withDocument: boolean): ApolloServerPlugin {
  return {
    serverWillStart: () => check.load(),
    requestDidStart: ({ request: { http } }) => {
      const span = http && spans.get(http);
      return Promise.resolve({ ...limiting(check), ...(span && describing(span, withDocument)) });
    },
  };
}

/** Checks the limits. Apollo has already parsed and validated the document. */
function limiting(limits: LimitCheck): GraphQLRequestListener<BaseContext> {
  return {
    didResolveOperation: ({ schema, document, request }) => {
      watchScalars(schema);
      const error = limits.check(schema, document, request);
      if (error === undefined) return Promise.resolve();
      // Otherwise, Apollo sends 500 for an error of a plugin.
      error.extensions['http'] = { status: 400 };
      return Promise.reject(error);
    },
  };
}

function describing(span: RunningSpan, withDocument: boolean): GraphQLRequestListener<BaseContext> {
  return {
    executionDidStart: ({ operation, document }: MaybeResolved) => {
      if (operation === undefined) return Promise.resolve();
      span.rename(operation.operation);
      span.set(operationAttributesOf(operation, withDocument ? document : undefined));
      return Promise.resolve();
    },
    willSendResponse: ({ errors }) => {
      const [error] = errors ?? [];
      if (error !== undefined) failSpan(span, error);
      return Promise.resolve();
    },
  };
}

/**
 * The arguments of `executionDidStart`. Apollo's own type is wrong: if no operation has the requested
 * name, there is no operation.
 */
interface MaybeResolved {
  readonly operation?: OperationDefinitionNode | undefined;
  readonly document: DocumentNode;
}

interface Driver {
  /** The Apollo server. Undefined before `start()`. */
  readonly instance: ApolloServer;
  start(options: unknown): Promise<unknown>;
}

interface Options {
  readonly plugins?: readonly ApolloServerPlugin[];
}
