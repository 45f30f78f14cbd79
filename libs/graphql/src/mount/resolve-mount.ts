import { isObject, readOptions } from '@fledge-internal/options';
import type { Container } from '@fledge/core';
import { buildSchema, execute, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { operationServices, type RequestDocuments } from '../documents/request-documents.js';
import { GraphqlOptionError } from '../graphql.errors.js';
import { MOUNT, placeOf, type ResolvedLimits } from '../graphql.defaults.js';
import type { GraphqlMountOptions, GraphqlMountStatics } from '../graphql.options.js';
import type { OperationCounts } from '../operation/operation-telemetry.js';
import { reportUnknownFields } from '../operation/root-fields.js';
import {
  type GraphqlExecutor,
  type ServedSchema,
  validSchema,
} from '../operation/served-schema.js';
import { graphqlHttp } from '../http/graphql-http.js';

/** A mount with every default applied. */
export interface Mount
  extends
    ServedSchema,
    Required<
      Pick<
        GraphqlMountOptions,
        'name' | 'path' | 'runtime' | 'mountAs' | 'maxBodyBytes' | 'direct' | 'explorer'
      >
    > {
  /** Returns the errors of a document. Applies only rules that need no variables. */
  readonly check: (document: string) => readonly Error[];
  /** Returns the request fields that execute one of the application's own documents. */
  readonly members: (document: string) => Readonly<Record<string, string>>;
  readonly counts: OperationCounts;
  readonly documents: RequestDocuments;
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
  options: GraphqlMountOptions,
  container: Container,
): Mount {
  const { name, mountAs } = statics;
  const read = readMount(statics, options);
  const { path, rootValue, subscriptions } = read;
  const schema = schemaOf(name, options);
  refuseOwnDocuments(name, options);
  const services = operationServices(read, schema);
  const { protection, documents } = services;
  const root = typeof rootValue === 'function' ? rootValue(container) : rootValue;
  // A function is called on first use. At that time, another module may have built the schema.
  if (typeof options.schema !== 'function') {
    reportUnknownFields(root, services.schema(), placeOf('GraphqlMountModule.forRoot'));
  }
  const runtime = read.runtime ?? graphqlHttp();
  const { areServed } = subscriptions;
  return {
    name,
    path,
    rootValue: root,
    ...services,
    check: (document) => protection.check(document),
    members: (document) => documents.membersOf(document),
    execute: read.executor ? oneResultOf(read.executor) : execute,
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

/**
 * Returns an executor that rejects the several results of `@defer` and `@stream`. Otherwise, the
 * errors in later results would be sent unmasked.
 */
function oneResultOf(executor: GraphqlExecutor): GraphqlExecutor {
  const checked = (result: ExecutionResult) => {
    if ('data' in result || 'errors' in result) return result;
    throw new TypeError(
      'The executor returned several results. @defer and @stream need yoga() without `executor`.',
    );
  };
  return (args) => {
    const result = executor(args);
    return result instanceof Promise ? result.then(checked) : checked(result);
  };
}

function readMount(statics: Required<GraphqlMountStatics>, options: GraphqlMountOptions) {
  const { name, mountAs } = statics;
  // JavaScript applications may pass anything, and a factory may return nothing.
  if (!isObject(options as unknown)) {
    throw new GraphqlOptionError(
      `${name} has no options. Pass a schema: forRoot({ typeDefs, rootValue }) or forRoot({ schema }).`,
    );
  }
  const given = { ...options, name: options.name ?? name, mountAs: options.mountAs ?? mountAs };
  const read = readOptions(given, MOUNT, placeOf('GraphqlMountModule.forRoot'));
  // If 'route' were ignored, the application's guards would not run.
  for (const option of ['name', 'mountAs'] as const) {
    if (read[option] === statics[option]) continue;
    throw new GraphqlOptionError(
      `The factory of GraphqlMountModule.forRootAsync() returns ${option}: '${read[option]}', but ${option} is read ` +
        `before factories run. Set it next to the factory: forRootAsync({ ${option}: '${read[option]}', useFactory }).`,
    );
  }
  if (read.direct && mountAs === 'route') {
    throw new GraphqlOptionError(
      `${name} has direct: true and mountAs: 'route'. With direct: true, requests bypass the platform, so the guards of ` +
        'a route do not run. Remove one of the two options from GraphqlMountModule.forRoot().',
    );
  }
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
  const option = typeDefs === undefined ? 'schema' : 'typeDefs';
  const source = typeof schema === 'function' ? schema : () => schema ?? buildSchema(typeDefs!);
  return () => validSchema(name, option, source);
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
