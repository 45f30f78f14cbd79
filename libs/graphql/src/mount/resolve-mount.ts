import { readOptions } from '@fledge-internal/options';
import type { Container } from '@fledge/core';
import { assertValidSchema, buildSchema, execute, type GraphQLSchema } from 'graphql';
import { RequestDocuments } from '../documents/request-documents.js';
import { DEFAULT_PATH } from '../graphql.defaults.js';
import { GraphqlOptionError, GraphqlSchemaError } from '../graphql.errors.js';
import { MOUNT, placeOf } from '../option-tables.js';
import type { GraphQlPluginOptions, GraphqlMountOptions } from '../graphql.options.js';
import type { SubscriptionLimits } from '../subscriptions/subscription.options.js';
import { OperationCounts } from '../operation/operation-counts.js';
import { Protection } from '../operation/protection.js';
import { OperationSpans } from '../operation/operation-spans.js';
import type { ServedSchema } from '../operation/served-schema.js';
import { graphqlHttp } from '../runtime/graphql-http.js';
import type { GraphqlRuntime } from '../runtime/runtime.js';

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
  readonly explorer: boolean;
  readonly subscriptions: (SubscriptionLimits & { readonly path: string }) | undefined;
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
  const path = pathOf('path', given.path ?? DEFAULT_PATH);
  const { rootValue, subscriptions } = given;
  const schema = schemaOf(name, given);
  const protection = new Protection(given);
  const documents = documentsOf(name, given, protection);
  return {
    name,
    path,
    schema,
    rootValue: typeof rootValue === 'function' ? rootValue(container) : rootValue,
    protection,
    documents,
    check: (document) => protection.check(schema(), document),
    members: (document) => documents.membersOf(document),
    execute: given.executor ?? execute,
    counts: new OperationCounts(),
    tracer: new OperationSpans(read.traceDocument),
    runtime: given.runtime ?? graphqlHttp(),
    explorer: read.explorer,
    maxBodyBytes: read.maxBodyBytes,
    subscriptions: subscriptions && subscriptionsOf(subscriptions, path),
  };
}

/**
 * Checks that a path can be mounted.
 * @throws GraphqlOptionError
 */
export function pathOf(option: string, path: string): string {
  if (/^(\/[A-Za-z0-9_.~-]+)+$/.test(path)) return path;
  const place = placeOf('GraphqlMountModule.forRoot').at(option);
  throw place.wrong(path, "a path of plain segments with a leading slash, such as '/graphql'");
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
function documentsOf(name: string, given: GraphqlMountOptions, protection: Protection) {
  const { documents, manifest, runtime } = given;
  if ((documents ?? manifest) !== undefined && runtime && runtime.documents !== true) {
    throw new GraphqlOptionError(
      `${name} has documents or a manifest, but its runtime does not find documents by their ids. Use ` +
        `graphqlHttp() or yoga(), or call documents.textOf() in the runtime and set documents: true on it.`,
    );
  }
  return new RequestDocuments(given, protection);
}

function subscriptionsOf(
  given: NonNullable<GraphqlMountOptions['subscriptions']>,
  path: string,
): Mount['subscriptions'] {
  if (given === true) return { path };
  return { ...given, path: pathOf('subscriptions.path', given.path ?? path) };
}
