import { GraphqlSchemas, type ServedGraphql } from '@fledge/core/packages';
import type { ModulesContainer } from '@nestjs/core';
import { assertValidSchema, buildSchema, type GraphQLSchema } from 'graphql';
import { GraphqlEndpointError, McpOptionError } from '../mcp.errors.js';
import type { McpSourceApplication } from '../tool-source.js';
import type { ResolvedGraphqlOptions } from './graphql-operations.options.js';

/** The endpoint that executes the operations. */
export interface GraphqlEndpoint {
  readonly path: string;
  readonly schema: GraphQLSchema;
  /** Validates a document according to the endpoint's own rules. Returns the errors. */
  readonly check: (document: string) => readonly Error[];
  /** Returns the fields of a request body that executes a document. */
  readonly members: (document: string) => Readonly<Record<string, string>>;
}

/**
 * Finds the endpoint in the application: a mount of `@fledge/graphql`, or a `GraphQLModule`.
 * @throws GraphqlEndpointError, McpOptionError
 */
export async function graphqlEndpointOf(
  { modules, globalPrefix }: McpSourceApplication,
  { path, schema }: Pick<ResolvedGraphqlOptions, 'path' | 'schema'>,
): Promise<GraphqlEndpoint> {
  const all = [...mountsOf(modules), ...nestModulesOf(modules)];
  const wanted = path === undefined ? undefined : [path, `${globalPrefix}${path}`];
  const found = wanted ? all.filter((each) => wanted.includes(each.path())) : all;
  const only = found.length === 1 ? found[0] : undefined;
  const members = only?.members ?? ((query: string) => ({ query }));
  if (schema !== undefined) {
    return {
      path: only?.path() ?? path ?? '/graphql',
      schema: await givenSchema(schema),
      check: () => [],
      members,
    };
  }
  if (only === undefined) throw notOne(all, path);
  return {
    path: only.path(),
    schema: builtSchema(only),
    check: (document) => only.check(document),
    members,
  };
}

function mountsOf(modules: ModulesContainer): readonly ServedGraphql[] {
  return providersIn(modules, (token) => token === GraphqlSchemas).flatMap(
    ({ instance }) => (instance as GraphqlSchemas).all,
  );
}

/**
 * Finds GraphQL modules of `@nestjs/graphql` by class name, because an import would make the
 * package a dependency.
 */
function nestModulesOf(modules: ModulesContainer): readonly ServedGraphql[] {
  const hosts = providersIn(modules, (token) => nameOf(token) === 'GraphQLSchemaHost');
  return hosts.map(({ instance, module }) => ({
    // This path is set when the module is initialized. It includes the global prefix if
    // `useGlobalPrefix` is set.
    path: () => (module as NestGraphqlModule).completeOptions?.path ?? '/graphql',
    schema: () => (instance as { readonly schema: unknown }).schema,
    check: () => [],
  }));
}

interface NestGraphqlModule {
  readonly completeOptions?: { readonly path?: string };
}

interface Found {
  readonly instance: unknown;
  /** The module that provides `instance`. */
  readonly module: unknown;
}

function providersIn(modules: ModulesContainer, isWanted: (token: unknown) => boolean): Found[] {
  return [...modules.values()].flatMap(({ providers, instance: module }) =>
    [...providers]
      .filter(([token]) => isWanted(token))
      .map(([, { instance }]): Found => ({ instance, module })),
  );
}

function nameOf(token: unknown): string | undefined {
  return typeof token === 'function' ? token.name : undefined;
}

function builtSchema(endpoint: ServedGraphql): GraphQLSchema {
  try {
    return endpoint.schema() as GraphQLSchema;
  } catch (error) {
    throw new GraphqlEndpointError(
      `The GraphQL endpoint at ${endpoint.path()} has no readable schema (${(error as Error).message}). Pass a schema: ` +
        'graphqlOperations({ schema }).',
      { cause: error },
    );
  }
}

async function givenSchema(
  given: NonNullable<ResolvedGraphqlOptions['schema']>,
): Promise<GraphQLSchema> {
  try {
    const schema = typeof given === 'function' ? await given() : given;
    const built = typeof schema === 'string' ? buildSchema(schema) : schema;
    assertValidSchema(built);
    return built;
  } catch (error) {
    throw new McpOptionError(
      `graphqlOperations({ schema }) is not a valid schema: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

function notOne(all: readonly ServedGraphql[], path: string | undefined): GraphqlEndpointError {
  const paths = all.map((each) => each.path()).join(', ');
  if (all.length === 0) {
    return new GraphqlEndpointError(
      'graphqlOperations() found no GraphQL endpoint in the application. Import GraphqlMountModule of ' +
        '@fledge/graphql or GraphQLModule of @nestjs/graphql, or pass graphqlOperations({ schema, path }).',
    );
  }
  if (path !== undefined) {
    return new GraphqlEndpointError(
      `graphqlOperations({ path: '${path}' }) does not match a GraphQL endpoint of the application. The endpoints are: ${paths}.`,
    );
  }
  return new GraphqlEndpointError(
    `The application has GraphQL endpoints at ${paths}. Select the endpoint that executes the operations: ` +
      'graphqlOperations({ path }).',
  );
}
