import { type KnownOptions, refuseUnknownOptions } from '@fledge/core/packages';
import type { GraphQLSchema } from 'graphql';
import type { JsonSchema } from '../decorators/author-schema.js';
import type { McpToolAnnotations, McpToolOptions } from '../decorators/mcp-tool.decorator.js';
import { McpOptionError } from '../mcp.errors.js';
import { COUNT, isCount } from '../options/bad-option.js';

/** Limits of the operations. A static document is checked at boot; its cost also before each call. */
export interface GraphqlOperationLimits {
  /** Maximum depth of nested fields. @default 15 */
  readonly depth?: number;
  /** Maximum number of tokens of an operation with its fragments. @default 15_000 */
  readonly tokens?: number;
  /**
   * Maximum cost of a call. Each field costs 1. A field with an argument of `sizeArguments`, or with one in an
   * input object, multiplies the cost of the fields inside it by the value.
   * @default 10_000
   */
  readonly cost?: number;
  /** Names of arguments that set the size of a list. @default first, last, limit, take, pageSize */
  readonly sizeArguments?: readonly string[];
}

/** Options of one operation. They win over what its file says. */
export interface GraphqlOperationOptions extends Pick<
  McpToolOptions,
  'title' | 'timeoutMs' | 'scopes' | 'redact'
> {
  /**
   * Description shown to the model.
   * @default that of the operation or the comment above it, else what the schema says of its fields
   */
  readonly description?: string;
  /** Publishes no tool for the operation. @default false */
  readonly hidden?: boolean;
  /** Overrides the hints, which are read-only and idempotent for a query, destructive for a mutation. */
  readonly annotations?: McpToolAnnotations;
  /** Tags, by which an endpoint selects what it publishes. @default `tags` of `graphqlOperations()` */
  readonly tags?: readonly string[];
}

/** Which mutations become tools: `none`, `explicit` for those that `operations` names, or `all`. */
export type GraphqlMutations = 'none' | 'explicit' | 'all';

/** Options of `graphqlOperations()`. */
export interface GraphqlOperationsOptions {
  /**
   * Files with operations and fragments: a file, a folder with its subfolders, or a pattern with `*`, `**` and
   * `{a,b}`. Relative to the working directory.
   */
  readonly files: string | readonly string[];
  /** @default 'none', with a warning that names the mutations left out */
  readonly mutations?: GraphqlMutations;
  /**
   * Options of single operations, by name. A name that no operation has is refused at boot.
   * @default none
   */
  readonly operations?: Readonly<Record<string, GraphqlOperationOptions>>;
  /**
   * Tags of the operations that have none in `operations`. An endpoint selects by them.
   * @default none
   */
  readonly tags?: readonly string[];
  /**
   * Path of the endpoint that executes the operations, with the global prefix.
   * @default the only GraphQL endpoint of the application; with `schema` and none, '/graphql'
   */
  readonly path?: string;
  /**
   * Schema of the endpoint: SDL, a schema of graphql-js, or a function that returns one.
   * @default the schema of the endpoint at `path`
   */
  readonly schema?:
    GraphQLSchema | string | (() => GraphQLSchema | string | Promise<GraphQLSchema | string>);
  /** JSON Schemas of scalars, by name. @default none: a custom scalar accepts any value, with a warning */
  readonly scalars?: Readonly<Record<string, JsonSchema>>;
  readonly limits?: GraphqlOperationLimits;
}

/** The options with defaults applied. */
export interface ResolvedGraphqlOptions extends Omit<
  GraphqlOperationsOptions,
  'files' | 'mutations' | 'operations' | 'scalars' | 'limits'
> {
  readonly files: readonly string[];
  /** Undefined: none, with a warning. */
  readonly mutations: GraphqlMutations | undefined;
  readonly operations: ReadonlyMap<string, GraphqlOperationOptions>;
  readonly scalars: Readonly<Record<string, JsonSchema>>;
  readonly limits: Required<GraphqlOperationLimits>;
}

const SIZE_ARGUMENTS = ['first', 'last', 'limit', 'take', 'pageSize'];

const LIMITS: KnownOptions<GraphqlOperationLimits> = {
  depth: true,
  tokens: true,
  cost: true,
  sizeArguments: true,
};

const KNOWN: KnownOptions<GraphqlOperationsOptions> = {
  files: true,
  mutations: true,
  operations: true,
  tags: true,
  path: true,
  schema: true,
  scalars: true,
  limits: { known: LIMITS },
};

const OPERATION: KnownOptions<GraphqlOperationOptions> = {
  description: true,
  title: true,
  annotations: true,
  timeoutMs: true,
  scopes: true,
  redact: true,
  hidden: true,
  tags: true,
};

/**
 * Checks the options and applies the defaults.
 * @throws McpOptionError
 */
export function resolveGraphqlOptions(options: GraphqlOperationsOptions): ResolvedGraphqlOptions {
  refuseUnknownOptions(options, KNOWN, 'graphqlOperations', McpOptionError);
  const { files, mutations, limits = {}, operations = {}, path } = options;
  for (const [name, given] of Object.entries(operations)) {
    refuseUnknownOptions(given, OPERATION, `graphqlOperations: operations.${name}`, McpOptionError);
  }
  if (path !== undefined && !path.startsWith('/')) {
    throw bad('path', path, "a path with a leading slash, such as '/graphql'");
  }
  if (mutations !== undefined && !MUTATIONS.includes(mutations)) {
    throw bad('mutations', mutations, "'none', 'explicit' or 'all'");
  }
  return {
    ...options,
    files: filesOf(files),
    mutations,
    operations: new Map(Object.entries(operations)),
    scalars: options.scalars ?? {},
    limits: {
      depth: atLeastOne('limits.depth', limits.depth ?? 15),
      tokens: atLeastOne('limits.tokens', limits.tokens ?? 15_000),
      cost: atLeastOne('limits.cost', limits.cost ?? 10_000),
      sizeArguments: limits.sizeArguments ?? SIZE_ARGUMENTS,
    },
  };
}

const MUTATIONS: readonly string[] = ['none', 'explicit', 'all'] satisfies GraphqlMutations[];

function filesOf(files: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(files) ? files : [files];
  if (all.length > 0 && all.every((file) => typeof file === 'string' && file !== '')) {
    return all as readonly string[];
  }
  throw bad(
    'files',
    files,
    "a file, a folder or a pattern, such as 'src/tools', or a list of them",
  );
}

function atLeastOne(option: string, value: number): number {
  if (isCount(value)) return value;
  throw bad(option, value, COUNT);
}

function bad(option: string, value: unknown, expected: string): McpOptionError {
  const given = JSON.stringify(value) ?? String(value);
  return new McpOptionError(
    `graphqlOperations({ ${option} }) is ${given}, but must be ${expected}.`,
  );
}
