import { FledgeError } from '@fledge/core/packages';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';

/**
 * Base class of this package's errors. Each error has a stable `code`. The message says what
 * happened, where, and how to fix it.
 */
export abstract class GraphqlModuleError extends FledgeError {}

/**
 * An option has an invalid value. Thrown at startup, and by calls of `GraphqlOperations`.
 * @remarks Correct the option that the message names.
 */
export class GraphqlOptionError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_OPTION';
}

/**
 * The schema is invalid. Thrown at startup. The locations are in `cause`.
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

/** Matches directives that only `buildSubgraphSchema` defines. */
const UNKNOWN_DIRECTIVE =
  /Unknown directive "@(link|key|external|requires|provides|shareable|override|extends|inaccessible|interfaceObject)"/;
const FEDERATION =
  ' This directive belongs to Apollo Federation. Build the schema with buildSubgraphSchema() of @apollo/subgraph, ' +
  'and pass the result as `schema`.';

/**
 * The document manifest cannot be read. Thrown at startup.
 * @remarks Generate the manifest with GraphQL Code Generator, Relay or Apollo. Its format is `{ id:
 * document }`, or Apollo's `apollo-persisted-query-manifest`.
 */
export class DocumentManifestError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_MANIFEST';

  constructor(place: string, fault: string, cause?: unknown) {
    super(
      `The manifest of documents in ${place} cannot be used: ${withoutStop(fault)}. ` +
        `Use the format { "<id>": "<document>" }, or the format of Apollo.`,
      { cause },
    );
  }
}

/** Removes the full stop of another error's message, because our sentence continues. */
function withoutStop(message = ''): string {
  return message.replace(/\.$/, '');
}

/** A document of the manifest that is invalid for the schema. */
export interface StaleDocument {
  readonly id: string;
  readonly errors: readonly Error[];
}

/**
 * Documents of the manifest are invalid for the schema. Requests with these documents would fail.
 * Thrown at startup.
 * @remarks Restore the parts of the schema that the documents use, or remove the documents from the
 * manifest. With `onStaleDocument: 'warn'`, the application starts and rejects only these
 * documents.
 */
export class StaleDocumentsError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_STALE_DOCUMENTS';

  constructor(
    endpoint: string,
    readonly documents: readonly StaleDocument[],
  ) {
    super(
      `${endpoint} cannot serve ${documents.length} of the documents in its manifest: ` +
        documents
          .map(({ id, errors }) => `"${id}": ${withoutStop(errors[0]?.message)}`)
          .join('; ') +
        '. Fix the schema, or remove these documents from the manifest.',
    );
  }
}

/**
 * A runtime tried to read the request body as a stream, but the body was already read. The response
 * has status 500.
 * @remarks Use the parsed JSON in `req.body` in your runtime.
 */
export class BodyReadError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BODY_READ';

  constructor() {
    super(
      'A body parser has already read the request body, so the runtime of a GraphQL mount cannot read the stream. ' +
        'Read the parsed JSON from req.body instead.',
    );
  }
}

/**
 * A feature requires an optional package that is not installed. Thrown at startup.
 * @remarks Run the `npm install` command in the message.
 */
export class MissingPeerError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_MISSING_PEER';

  /** @param install all packages that the feature requires, so one command installs them */
  constructor(name: string, user: string, cause?: unknown, install = name) {
    super(`${user} needs the package "${name}", which is not installed: npm install ${install}`, {
      cause,
    });
  }
}

/**
 * The installed version of a package does not support a protection that an option enables. Thrown
 * at startup.
 * @remarks Run the `npm install` command in the message.
 */
export class UnfitPeerError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_UNFIT_PEER';

  /** @param fact what the package did in the check at startup */
  constructor(
    peer: { readonly name: string; readonly install: string },
    user: string,
    fact: string,
  ) {
    const version = installedVersion(peer.name);
    const found = version === undefined ? '' : ` ${version}`;
    super(
      `${user} does not work with the installed "${peer.name}"${found}: ${fact}. Install a compatible version: ` +
        `npm install ${peer.install}`,
    );
  }
}

/**
 * A value in `connectionParams` cannot be used as a header. The socket is closed with 4403.
 * @remarks Send the value once and without line breaks. If the upgrade request has the header too,
 * send the same value.
 */
export class ConnectionHeaderError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_BAD_CONNECTION_HEADER';

  constructor(header: string, reason: string) {
    super(`The header "${header}" in connectionParams ${reason}.`);
  }
}

/**
 * Two parts of the application serve WebSockets at the same path. Thrown at startup.
 * @remarks Give one of the two parts another `path`, or disable its subscriptions.
 */
export class SocketPathTakenError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_SOCKET_PATH_TAKEN';

  /** @param holder the part of the application that already uses the path */
  constructor(path: string, holder = 'Another GraphQL module') {
    super(
      `${holder} already serves WebSockets at "${path}". Give one of the two a different path, or ` +
        'disable its subscriptions.',
    );
  }
}

/**
 * `GraphqlSubscriptionsModule.forApollo()` or `forMercurius()` found no `GraphQLModule`, or several.
 * Thrown at startup.
 * @remarks Import `GraphQLModule.forRoot()`. If there are several, select one: `forApollo({ path:
 * '/graphql' })`.
 */
export class NestGraphqlError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_WHICH_NEST_MODULE';

  /**
   * @param paths the paths of the modules that were found
   * @param call the function of GraphqlSubscriptionsModule that the application calls
   */
  constructor(paths: readonly string[], call = 'forApollo') {
    super(
      paths.length === 0
        ? `GraphqlSubscriptionsModule.${call}() found no GraphQLModule. Import GraphQLModule.forRoot() of @nestjs/graphql, or pass a schema: GraphqlSubscriptionsModule.forRoot({ schema }).`
        : `GraphqlSubscriptionsModule.${call}() serves one GraphQLModule, but there are several: at ${paths.join(', ')}. Select one: ${call}({ path: '${paths[0]}' }).`,
    );
  }
}

/**
 * `GraphqlContextFactory` and `GraphqlApolloModule` must be used together. One of them is missing,
 * or the factory was called for a socket.
 * @remarks Import `GraphqlApolloModule.forRoot()` next to `GraphQLModule` with `context:
 * GraphqlContextFactory.create`. For sockets, import `GraphqlSubscriptionsModule.forApollo()`.
 */
export class ApolloContextError extends GraphqlModuleError {
  readonly code = 'GRAPHQL_NO_APOLLO_CONTEXT';

  constructor() {
    super(
      'GraphqlContextFactory and Apollo are not connected. Import GraphqlApolloModule.forRoot() next to ' +
        'GraphQLModule.forRoot({ driver: ApolloDriver, context: GraphqlContextFactory.create }). For ' +
        'subscriptions, import GraphqlSubscriptionsModule.forApollo(), or inject the factory: ' +
        'GraphQLModule.forRootAsync({ inject: [GraphqlContextFactory], ... }).',
    );
  }
}

/**
 * `MercuriusContextFactory` and `GraphqlMercuriusModule` must be used together, with
 * `MercuriusDriver`. One of them is missing.
 * @remarks Import `GraphqlMercuriusModule.forRoot()` next to `GraphQLModule` with `driver:
 * MercuriusDriver`.
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

/**
 * Returns the version of an installed package, for messages. Returns undefined if the package is
 * not found, for example in a bundle.
 */
function installedVersion(name: string): string | undefined {
  try {
    const file = createRequire(import.meta.url).resolve(name);
    const folder = join('node_modules', name) + sep;
    const end = file.lastIndexOf(folder) + folder.length;
    const manifest = readFileSync(join(file.slice(0, end), 'package.json'), 'utf8');
    return (JSON.parse(manifest) as { readonly version?: string }).version;
  } catch {
    // The package may be installed elsewhere, but it cannot be found from here.
    return undefined;
  }
}
