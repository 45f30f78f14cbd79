/** What every error of this package is: a fact, its place and a cure, under a stable `code`. */
export abstract class GraphqlModuleError extends Error {
  abstract readonly code: string;

  override get name(): string {
    return this.constructor.name;
  }
}

/** An option has a value that can never work. Thrown at boot. */
export class GraphqlOptionError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_OPTION';
}

/** The schema does not hold: its text, or what was built from it. Thrown at boot; `cause` has the places. */
export class GraphqlSchemaError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_SCHEMA';

  constructor(mount: string, option: string, cause: unknown) {
    super(
      `${mount} cannot serve its ${option}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** A runtime reads the stream of a body that has been read already. The request is answered with 500. */
export class BodyReadError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BODY_READ';

  constructor() {
    super(
      'The runtime of a GraphQL mount reads the body of a request, which a body parser has read already. ' +
        'Read req.body instead, which has the parsed JSON.',
    );
  }
}

/** An optional package is used but not installed. Thrown at boot. */
export class MissingPeerError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_MISSING_PEER';

  constructor(name: string, user: string, cause?: unknown) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${name}`, {
      cause,
    });
  }
}

/** A value of `connectionParams` cannot be the header it stands for. The socket is closed with 4403. */
export class ConnectionHeaderError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_CONNECTION_HEADER';

  constructor(header: string, reason: string) {
    super(
      `connectionParams has a value for the header "${header}" that ${reason}. Send it in one of the two places.`,
    );
  }
}

/** Two parts of the application serve WebSockets at one path. Thrown at boot. */
export class SocketPathTakenError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_SOCKET_PATH_TAKEN';

  /** @param holder who serves the path already */
  constructor(path: string, holder = 'another GraphQL module') {
    super(
      `WebSockets at "${path}" are served by ${holder} already. Give one of the two another path, ` +
        `or switch its subscriptions off.`,
    );
  }
}

/** `GraphqlSubscriptionsModule.forApollo()` cannot tell whose subscriptions to serve. Thrown at boot. */
export class NestGraphqlError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_WHICH_NEST_MODULE';

  /** @param paths of the modules that were found */
  constructor(paths: readonly string[]) {
    super(
      paths.length === 0
        ? 'GraphqlSubscriptionsModule.forApollo() found no GraphQLModule. Import GraphQLModule.forRoot() of @nestjs/graphql, or serve a schema of your own: forRoot({ schema }).'
        : `GraphqlSubscriptionsModule.forApollo() serves one GraphQLModule, and there are several: at ${paths.join(', ')}. Say which: forApollo({ path: '${paths[0]}' }).`,
    );
  }
}

/** `GraphqlContextFactory.create` got a request of an application that it does not know. */
export class ApolloContextError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_NO_APOLLO_CONTEXT';

  constructor() {
    super(
      'GraphqlContextFactory.create cannot tell the application of a request. Import ' +
        'GraphqlApolloModule.forRoot() beside GraphQLModule; serve subscriptions by ' +
        'GraphqlSubscriptionsModule.forApollo(), or inject the factory: GraphQLModule.forRootAsync({ ' +
        'inject: [GraphqlContextFactory], ... }).',
    );
  }
}
