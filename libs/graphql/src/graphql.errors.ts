import { FledgeError } from '@fledge/core/packages';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/** Base class of this package's errors. Each has a stable `code`; the message states what, where and the fix. */
export abstract class GraphqlModuleError extends FledgeError {}

/**
 * An option has an invalid value. Thrown at boot, and by calls of `GraphqlOperations`.
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
      `${mount} cannot serve its ${option}: ${textOf(cause)}${UNKNOWN_DIRECTIVE.test(textOf(cause)) ? FEDERATION : ''}`,
      { cause },
    );
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Directives that only `buildSubgraphSchema` defines. */
const UNKNOWN_DIRECTIVE =
  /Unknown directive "@(link|key|external|requires|provides|shareable|override|extends|inaccessible|interfaceObject)"/;
const FEDERATION =
  ' It is a directive of Apollo Federation: build the schema with buildSubgraphSchema() of @apollo/subgraph, ' +
  'and pass it as schema.';

/**
 * The manifest of documents cannot be read. Thrown at boot.
 * @remarks Write it with GraphQL Code Generator, Relay or Apollo: `{ id: document }`, or Apollo's
 * `apollo-persisted-query-manifest`.
 */
export class DocumentManifestError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_MANIFEST';

  constructor(place: string, fault: string, cause?: unknown) {
    super(
      `The manifest of documents in ${place} cannot be used: ${fault}. ` +
        `Use { "<id>": "<document>" }, or the format of Apollo.`,
      { cause },
    );
  }
}

/** A document of the manifest that the schema does not accept. */
export interface StaleDocument {
  readonly id: string;
  readonly errors: readonly Error[];
}

/**
 * Documents of the manifest are invalid for the schema, so the clients that send them would fail. Thrown at
 * boot.
 * @remarks Keep what the documents use in the schema, or remove them from the manifest. With
 * `onStaleDocument: 'warn'` the application starts, and refuses these documents only.
 */
export class StaleDocumentsError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_STALE_DOCUMENTS';

  constructor(
    endpoint: string,
    readonly documents: readonly StaleDocument[],
  ) {
    super(
      `${endpoint} cannot serve ${documents.length} of the documents in its manifest: ` +
        documents.map(({ id, errors }) => `"${id}": ${errors[0]?.message}`).join('; ') +
        '. Keep what the documents use in the schema, or remove the documents from the manifest.',
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

  /** @param install all packages that the feature needs, so that one command installs them */
  constructor(name: string, user: string, cause?: unknown, install = name) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${install}`, {
      cause,
    });
  }
}

/**
 * The installed version of a package does not apply a protection that an option sets. Thrown at boot.
 * @remarks Run the `npm install` command of the message.
 */
export class UnfitPeerError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_UNFIT_PEER';

  /** @param fact what the package did in the check at boot */
  constructor(
    peer: { readonly name: string; readonly install: string },
    user: string,
    fact: string,
  ) {
    const version = installedVersion(peer.name);
    const found = version === undefined ? '' : ` ${version}`;
    super(
      `${user} does not work with the installed "${peer.name}"${found}: ${fact}. Install a version that works: ` +
        `npm install ${peer.install}`,
    );
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
        'GraphqlApolloModule.forRoot() next to GraphQLModule. For subscriptions, import ' +
        'GraphqlSubscriptionsModule.forApollo(), or inject the factory: GraphQLModule.forRootAsync({ ' +
        'inject: [GraphqlContextFactory], ... }).',
    );
  }
}

/**
 * `MercuriusContextFactory` or `GraphqlMercuriusModule` was used without the other, or without
 * `MercuriusDriver`.
 * @remarks Import `GraphqlMercuriusModule.forRoot()` beside `GraphQLModule` with `driver: MercuriusDriver`.
 */
export class MercuriusContextError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_NO_MERCURIUS_CONTEXT';

  constructor() {
    super(
      'MercuriusContextFactory and Mercurius are not connected. Import GraphqlMercuriusModule.forRoot() next to ' +
        'GraphQLModule.forRoot({ driver: MercuriusDriver, context: MercuriusContextFactory.create }).',
    );
  }
}

/** Returns the version of an installed package, for messages. Undefined if it is not found, such as in a bundle. */
function installedVersion(name: string): string | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(name);
    const folder = join('node_modules', name) + sep;
    const end = file.lastIndexOf(folder) + folder.length;
    const manifest = readFileSync(join(file.slice(0, end), 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { readonly version?: string }).version;
  } catch {
    // Not installed where this package looks for it.
    return undefined;
  }
}
