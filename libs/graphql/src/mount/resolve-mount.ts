import { readOptions } from '@fledge-internal/options';
import type { Container } from '@fledge/core';
import { assertValidSchema, buildSchema, execute, type GraphQLSchema } from 'graphql';
import { operationServices, type RequestDocuments } from '../documents/request-documents.js';
import { GraphqlOptionError, GraphqlSchemaError } from '../graphql.errors.js';
import { MOUNT, placeOf, type ResolvedLimits } from '../graphql.defaults.js';
import type {
  GraphqlMountOptions,
  GraphqlMountStatics,
  GraphQlPluginOptions,
} from '../graphql.options.js';
import type { OperationCounts } from '../operation/operation-counts.js';
import type { ServedSchema } from '../operation/served-schema.js';
import { graphqlHttp } from '../http/graphql-http.js';
import type { GraphqlRuntime } from '../http/runtime.js';

/** A mount with every default applied. */
export interface Mount extends ServedSchema {
  readonly name: string;
  readonly path: string;
  /** Returns the errors of a document. Applies only rules that need no variables. */
  readonly check: (document: string) => readonly Error[];
  /** Returns the request fields that execute one of the application's own documents. */
  readonly members: (document: string) => Readonly<Record<string, string>>;
  readonly counts: OperationCounts;
  readonly runtime: GraphqlRuntime;
  readonly documents: RequestDocuments;
  readonly mountAs: 'middleware' | 'route';
  readonly maxBodyBytes: number;
  /** True if requests come directly from the HTTP server, before the platform. */
  readonly direct: boolean;
  readonly explorer: boolean;
  readonly limits: ResolvedLimits;
  /** Path of the sockets. Undefined if there are none. */
  readonly socketPath: string | undefined;
  /** True if the mount has sockets or event streams. */
  readonly servesSubscriptions: boolean;
}

/**
 * Applies the defaults, checks the options and compiles the schema.
 * @throws GraphqlOptionError, GraphqlSchemaError
 */
export function resolveMount(
  statics: Required<GraphqlMountStatics>,
  options: GraphQlPluginOptions | GraphqlMountOptions,
  container: Container,
): Mount {
  const { name, mountAs } = statics;
  const read = readMount(statics, options);
  const { path, rootValue, subscriptions } = read;
  const schema = schemaOf(name, options);
  refuseOwnDocuments(name, options);
  const services = operationServices(read);
  const { protection, documents } = services;
  const runtime = read.runtime ?? graphqlHttp();
  const { areServed } = subscriptions;
  return {
    name,
    path,
    schema,
    rootValue: typeof rootValue === 'function' ? rootValue(container) : rootValue,
    ...services,
    check: (document) => protection.check(schema(), document),
    members: (document) => documents.membersOf(document),
    execute: read.executor ?? execute,
    runtime,
    explorer: read.explorer,
    mountAs,
    maxBodyBytes: read.maxBodyBytes,
    direct: read.direct,
    limits: subscriptions.limits,
    socketPath: areServed ? (subscriptions.path ?? path) : undefined,
    servesSubscriptions: areServed || runtime.streams === true,
  };
}

function readMount({ name, mountAs }: Required<GraphqlMountStatics>, options: GraphqlMountOptions) {
  // JavaScript applications may pass anything, and a factory may return nothing.
  if (typeof options !== 'object') {
    throw new GraphqlOptionError(
      `${name} has no options. Pass a schema: forRoot({ typeDefs, rootValue }) or forRoot({ schema }).`,
    );
  }
  const given = { ...options, mountAs: options.mountAs ?? mountAs };
  const read = readOptions(given, MOUNT, placeOf('GraphqlMountModule.forRoot'));
  refuseOtherMountAs(mountAs, read.mountAs);
  if (read.direct) refuseDirectRoute(name, mountAs);
  return read;
}

function schemaOf(name: string, { typeDefs, schema }: GraphqlMountOptions): () => GraphQLSchema {
  if ((typeDefs === undefined) === (schema === undefined)) {
    const fact =
      typeDefs === undefined ? 'neither `typeDefs` nor `schema`' : 'both `typeDefs` and `schema`';
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

/**
 * Returns a function that calls `schema` on first use. At that time, another module may have built
 * the schema.
 */
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

/**
 * Throws if documents are restricted and the runtime reads the documents of requests itself. Such a
 * runtime would execute every document.
 */
function refuseOwnDocuments(name: string, given: GraphqlMountOptions): void {
  const { documents, manifest, runtime } = given;
  if ((documents ?? manifest) !== undefined && runtime && runtime.documents !== true) {
    throw new GraphqlOptionError(
      `${name} sets \`documents\` or \`manifest\`, but its runtime cannot find documents by id. Use ` +
        `graphqlHttp() or yoga(), or call documents.textOf() in the runtime and set documents: true on the runtime.`,
    );
  }
}

/**
 * Throws if a factory returns another `mountAs`. If 'route' were ignored, the application's guards
 * would not run.
 */
function refuseOtherMountAs(used: Mount['mountAs'], given: Mount['mountAs']): void {
  if (given === used) return;
  throw new GraphqlOptionError(
    `The factory of GraphqlMountModule.forRootAsync() returns mountAs: '${given}', but mountAs is read ` +
      `before factories run. Set it next to the factory: forRootAsync({ mountAs: '${given}', useFactory }).`,
  );
}

/**
 * Throws if a mount sets both `direct` and `mountAs: 'route'`, because the guards of the route
 * would not run.
 */
function refuseDirectRoute(name: string, mountAs: Mount['mountAs']): void {
  if (mountAs !== 'route') return;
  throw new GraphqlOptionError(
    `${name} has direct: true and mountAs: 'route'. With direct: true, requests bypass the platform, so the guards of ` +
      'a route do not run. Remove one of the two options from GraphqlMountModule.forRoot().',
  );
}
