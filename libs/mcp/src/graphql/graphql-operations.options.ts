import {
  count,
  flag,
  group,
  groupIfGiven,
  isObject,
  kind,
  oneOf,
  type OptionTable,
  Place,
  type ReadOptions,
  readOptions,
  rule,
  text,
  texts,
} from '@fledge-internal/options';
import type { GraphQLSchema } from 'graphql';
import { ANNOTATIONS } from '../publish/catalogue/decorator-options.js';
import type { JsonSchema } from '../publish/decorators/author-schema.js';
import type { McpToolAnnotations, McpToolOptions } from '../mcp-tool.options.js';
import { McpOptionError } from '../mcp.errors.js';

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
    | GraphQLSchema
    | string
    | (() => GraphQLSchema | string | Promise<GraphQLSchema | string>);
  /** JSON Schemas of scalars, by name. @default none: a custom scalar accepts any value, with a warning */
  readonly scalars?: Readonly<Record<string, JsonSchema>>;
  readonly limits?: GraphqlOperationLimits;
}

const LIMITS = {
  depth: count.default(15),
  tokens: count.default(15_000),
  cost: count.default(10_000),
  sizeArguments: texts.default(['first', 'last', 'limit', 'take', 'pageSize']),
} satisfies OptionTable<GraphqlOperationLimits>;

const OPERATION = {
  title: text.optional,
  timeoutMs: count.optional,
  scopes: texts.optional,
  redact: texts.optional,
  description: text.optional,
  hidden: flag.default(false),
  annotations: groupIfGiven<McpToolAnnotations, typeof ANNOTATIONS>(ANNOTATIONS),
  tags: texts.optional,
} satisfies OptionTable<GraphqlOperationOptions>;

const OPTIONS = {
  files: rule((given: string | readonly string[], place): readonly string[] => {
    const all: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (all.length > 0 && all.every(isFilled)) return all;
    throw place.wrong(
      given,
      "a file, a folder or a pattern, such as 'src/tools', or a list of them",
    );
  }),
  mutations: oneOf('none', 'explicit', 'all').optional,
  operations: rule((given: GraphqlOperationsOptions['operations'], place) => {
    if (given === undefined) return new Map<string, GraphqlOperationOptions>();
    if (!isObject(given)) throw place.wrong(given, 'an object with options by operation');
    for (const [name, each] of Object.entries(given)) readOptions(each, OPERATION, place.at(name));
    return new Map(Object.entries(given));
  }),
  tags: texts.optional,
  path: kind<string>(
    "a path with a leading slash, such as '/graphql'",
    (value) => typeof value === 'string' && value.startsWith('/'),
  ).optional,
  schema: kind<NonNullable<GraphqlOperationsOptions['schema']>>(
    'SDL, a schema of graphql-js, or a function that returns one',
    (value) => typeof value === 'string' || typeof value === 'function' || isObject(value),
  ).optional,
  scalars: kind<Readonly<Record<string, JsonSchema>>>(
    'an object with JSON Schemas by scalar',
    isObject,
  ).default({}),
  limits: group<GraphqlOperationLimits, typeof LIMITS>(LIMITS),
} satisfies OptionTable<GraphqlOperationsOptions>;

/** The options with defaults applied. Without `mutations`, none are published, with a warning. */
export type ResolvedGraphqlOptions = ReadOptions<typeof OPTIONS>;

/**
 * Checks the options and applies the defaults.
 * @throws McpOptionError
 */
export function resolveGraphqlOptions(options: GraphqlOperationsOptions): ResolvedGraphqlOptions {
  const toError = (message: string) => new McpOptionError(message);
  return readOptions(options, OPTIONS, Place.ofCall(toError, 'graphqlOperations'));
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
