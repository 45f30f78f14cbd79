import { readOptions } from '@fledge-internal/options';
import type { Container } from '@fledge/core';
import { assertValidSchema, buildSchema, execute, type GraphQLSchema } from 'graphql';
import { protectionOf, type RequestDocuments } from '../documents/request-documents.js';
import { GraphqlOptionError, GraphqlSchemaError } from '../graphql.errors.js';
import { MOUNT, placeOf, type ResolvedLimits } from '../option-tables.js';
import type { GraphQlPluginOptions, GraphqlMountOptions } from '../graphql.options.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { OperationSpans } from '../operation/operation-spans.js';
import type { ServedSchema } from '../operation/served-schema.js';
import { graphqlHttp } from '../http/graphql-http.js';
import type { GraphqlRuntime } from '../http/runtime.js';

/** A mount with defaults applied. Later stages read this, not the raw options. */
export interface Mount extends ServedSchema {
  readonly name: string;
  readonly path: string;
  /** Returns the errors of a document, by the rules that need no variables. */
  readonly check: (document: string) => readonly Error[];
  /** Returns the members of a request that executes a document of the application's own. */
  readonly members: (document: string) => Readonly<Record<string, string>>;
  readonly counts: OperationCounts;
  readonly runtime: GraphqlRuntime;
  readonly documents: RequestDocuments;
  readonly maxBodyBytes: number;
  /** True if requests come from the server, ahead of the platform. */
  readonly direct: boolean;
  readonly explorer: boolean;
  /** Limits of sockets and event streams. */
  readonly limits: ResolvedLimits;
  /** Path of the sockets. Undefined without them. */
  readonly socketPath: string | undefined;
}

/**
 * Applies the defaults, checks the options and compiles the schema.
 * @throws GraphqlOptionError, GraphqlSchemaError
 */
export function resolveMount(
  name: string,
  options: GraphQlPluginOptions | GraphqlMountOptions,
  container: Container,
): Mount {
  // JavaScript applications may pass anything, and a factory may return nothing.
  if (typeof options !== 'object') {
    throw new GraphqlOptionError(
      `${name} has no options. Pass a schema: forRoot({ typeDefs, rootValue }) or forRoot({ schema }).`,
    );
  }
  const given: GraphqlMountOptions = options;
  const read = readOptions(given, MOUNT, placeOf('GraphqlMountModule.forRoot'));
  const { path, rootValue, subscriptions } = read;
  const schema = schemaOf(name, given);
  refuseOwnDocuments(name, given);
  const { protection, documents } = protectionOf(read);
  return {
    name,
    path,
    schema,
    rootValue: typeof rootValue === 'function' ? rootValue(container) : rootValue,
    protection,
    documents,
    check: (document) => protection.check(schema(), document),
    members: (document) => documents.membersOf(document),
    execute: read.executor ?? execute,
    counts: new OperationCounts(),
    tracer: new OperationSpans(read.traceDocument),
    runtime: read.runtime ?? graphqlHttp(),
    explorer: read.explorer,
    maxBodyBytes: read.maxBodyBytes,
    direct: read.direct,
    limits: subscriptions.limits,
    socketPath: subscriptions.areServed ? (subscriptions.path ?? path) : undefined,
  };
}

function schemaOf(name: string, { typeDefs, schema }: GraphqlMountOptions): () => GraphQLSchema {
  if ((typeDefs === undefined) === (schema === undefined)) {
    const fact =
      typeDefs === undefined ? 'neither typeDefs nor schema' : 'both typeDefs and schema';
    throw new GraphqlOptionError(
      `${name} has ${fact}. Pass one of them: forRoot({ typeDefs: 'type Query { ... }' }), or ` +
        `forRoot({ schema }) with a compiled schema.`,
    );
  }
  if (typeof schema === 'function') return onFirstUse(name, schema);
  const built = valid(name, typeDefs === undefined ? 'schema' : 'typeDefs', () =>
    typeDefs === undefined ? schema! : buildSchema(typeDefs),
  );
  return () => built;
}

/** Calls the function on first use: another module may build the schema after this module is created. */
function onFirstUse(name: string, schema: () => GraphQLSchema): () => GraphQLSchema {
  let built: GraphQLSchema | undefined;
  return () => (built ??= valid(name, 'schema', schema));
}

function valid(name: string, option: string, build: () => GraphQLSchema): GraphQLSchema {
  try {
    const schema = build();
    assertValidSchema(schema);
    return schema;
  } catch (error) {
    throw new GraphqlSchemaError(name, option, error);
  }
}

/** A runtime that reads the documents of clients itself would execute each of them. */
function refuseOwnDocuments(name: string, given: GraphqlMountOptions): void {
  const { documents, manifest, runtime } = given;
  if ((documents ?? manifest) !== undefined && runtime && runtime.documents !== true) {
    throw new GraphqlOptionError(
      `${name} has documents or a manifest, but its runtime does not find documents by their ids. Use ` +
        `graphqlHttp() or yoga(), or call documents.textOf() in the runtime and set documents: true on it.`,
    );
  }
}
