/** Base class of this package's errors. Each has a stable `code`; the message states what, where and the fix. */
export abstract class GraphqlModuleError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/**
 * An option has an invalid value. Thrown at boot.
 * @remarks Correct the option that the message names.
 */
export class GraphqlOptionError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_OPTION';
}

/**
 * The schema is invalid. Thrown at boot; `cause` has the locations.
 * @remarks Correct the schema at the locations in `cause`.
 */
export class GraphqlSchemaError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_SCHEMA';

  constructor(mount: string, option: string, cause: unknown) {
    super(
      `${mount} cannot serve its ${option}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/**
 * A runtime reads the stream of a body that was read before. The request is answered with 500.
 * @remarks Read the parsed JSON from `req.body` in your runtime.
 */
export class BodyReadError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BODY_READ';

  constructor() {
    super(
      'The runtime of a GraphQL mount reads the stream of a request body that a body parser has read already. ' +
        'Read the parsed JSON from req.body instead.',
    );
  }
}

/**
 * An optional package is used but not installed. Thrown at boot.
 * @remarks Run the `npm install` command of the message.
 */
export class MissingPeerError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_MISSING_PEER';

  constructor(name: string, user: string, cause?: unknown) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${name}`, {
      cause,
    });
  }
}

/**
 * A value in `connectionParams` is not usable as a header. The socket is closed with 4403.
 * @remarks Send the value once, without line breaks, and equal to that of the upgrade request.
 */
export class ConnectionHeaderError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_CONNECTION_HEADER';

  constructor(header: string, reason: string) {
    super(`The header "${header}" in connectionParams ${reason}.`);
  }
}

/**
 * Two parts of the application serve WebSockets at one path. Thrown at boot.
 * @remarks Give one of the two another `path`, or turn its subscriptions off.
 */
export class SocketPathTakenError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_SOCKET_PATH_TAKEN';

  /** @param holder the part of the application that serves the path already */
  constructor(path: string, holder = 'Another GraphQL module') {
    super(
      `${holder} already serves WebSockets at "${path}". Give one of the two another path, or turn its ` +
        'subscriptions off.',
    );
  }
}

/**
 * `GraphqlSubscriptionsModule.forApollo()` found no `GraphQLModule`, or several. Thrown at boot.
 * @remarks Import `GraphQLModule.forRoot()`, or select one of several: `forApollo({ path: '/graphql' })`.
 */
export class NestGraphqlError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_WHICH_NEST_MODULE';

  /** @param paths the paths of the modules found */
  constructor(paths: readonly string[]) {
    super(
      paths.length === 0
        ? 'GraphqlSubscriptionsModule.forApollo() found no GraphQLModule. Import GraphQLModule.forRoot() of @nestjs/graphql, or pass a schema: GraphqlSubscriptionsModule.forRoot({ schema }).'
        : `GraphqlSubscriptionsModule.forApollo() serves one GraphQLModule, but there are several: at ${paths.join(', ')}. Select one: forApollo({ path: '${paths[0]}' }).`,
    );
  }
}

/**
 * `GraphqlContextFactory.create` was called in an application without `GraphqlApolloModule`, or for a socket.
 * @remarks Import `GraphqlApolloModule.forRoot()` beside `GraphQLModule`, and
 * `GraphqlSubscriptionsModule.forApollo()` for sockets.
 */
export class ApolloContextError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_NO_APOLLO_CONTEXT';

  constructor() {
    super(
      'GraphqlContextFactory.create found no application for a request. Import ' +
        'GraphqlApolloModule.forRoot() beside GraphQLModule. For subscriptions, import ' +
        'GraphqlSubscriptionsModule.forApollo(), or inject the factory: GraphQLModule.forRootAsync({ ' +
        'inject: [GraphqlContextFactory], ... }).',
    );
  }
}
