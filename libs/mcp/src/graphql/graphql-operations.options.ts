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
import { milliseconds } from '../options/option-rules.js';

/**
 * Limits of the operations. Each document is checked at startup; the cost is also checked before
 * each call.
 */
export interface GraphqlOperationLimits {
  /** Maximum depth of nested fields. @default 15 */
  readonly depth?: number;
  /** Maximum number of tokens of an operation, including its fragments. @default 15_000 */
  readonly tokens?: number;
  /**
   * Maximum cost of a call. Each field costs 1. The value of an argument in `sizeArguments`
   * multiplies the cost of the nested fields. The argument may also be inside an input object.
   * @default 10_000
   */
  readonly cost?: number;
  /** Names of arguments that set the size of a list. @default first, last, limit, take, pageSize */
  readonly sizeArguments?: readonly string[];
}

/** Options of one operation. They override the description in its file. */
export interface GraphqlOperationOptions extends Pick<
  McpToolOptions,
  'title' | 'timeoutMs' | 'scopes' | 'redact'
> {
  /**
   * Description shown to the model.
   * @default the description or comment above the operation, or else the descriptions of its fields
   * in the schema
   */
  readonly description?: string;
  /** Publishes no tool for the operation. @default false */
  readonly hidden?: boolean;
  /**
   * Overrides the hints. By default, a query is read-only and idempotent, and a mutation is
   * destructive.
   */
  readonly annotations?: McpToolAnnotations;
  /** Tags by which an endpoint selects tools. @default `tags` of `graphqlOperations()` */
  readonly tags?: readonly string[];
}

/**
 * The mutations that become tools: `none`, `explicit` (only mutations listed in `operations`), or
 * `all`.
 */
export type GraphqlMutations = 'none' | 'explicit' | 'all';

/** Options of `graphqlOperations()`. */
export interface GraphqlOperationsOptions {
  /**
   * Files with operations and fragments: a file, a folder including subfolders, or a pattern with
   * `*`, `**` and `{a,b}`. Relative to the working directory.
   */
  readonly files: string | readonly string[];
  /**
   * The mutations that become tools.
   * @default 'none', with a warning that lists the omitted mutations
   */
  readonly mutations?: GraphqlMutations;
  /**
   * Options of single operations, by operation name. An unknown name is rejected at startup.
   * @default none
   */
  readonly operations?: Readonly<Record<string, GraphqlOperationOptions>>;
  /**
   * Tags of the operations for which `operations` sets no tags. Endpoints select tools by tags.
   * @default none
   */
  readonly tags?: readonly string[];
  /**
   * Path of the endpoint that executes the operations, including the global prefix.
   * @default the only GraphQL endpoint of the application, or '/graphql' if there is none and
   * `schema` is set
   */
  readonly path?: string;
  /**
   * Schema of the endpoint: SDL, a schema of graphql-js, or a function that returns one of these.
   * @default the schema of the endpoint at `path`
   */
  readonly schema?:
    | GraphQLSchema
    | string
    | (() => GraphQLSchema | string | Promise<GraphQLSchema | string>);
  /**
   * JSON Schemas of scalars, by scalar name.
   * @default none: custom scalars accept any value, with a warning
   */
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
  timeoutMs: milliseconds.optional,
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
    if (!isObject(given))
      throw place.wrong(given, 'an object that maps operation names to options');
    for (const [name, each] of Object.entries(given)) readOptions(each, OPERATION, place.at(name));
    return new Map(Object.entries(given));
  }),
  tags: texts.optional,
  path: kind<string>(
    "a path with a leading slash, such as '/graphql'",
    (value) => typeof value === 'string' && value.startsWith('/'),
  ).optional,
  schema: kind<NonNullable<GraphqlOperationsOptions['schema']>>(
    'SDL, a graphql-js schema, or a function that returns one of these',
    (value) => typeof value === 'string' || typeof value === 'function' || isObject(value),
  ).optional,
  scalars: kind<Readonly<Record<string, JsonSchema>>>(
    'an object that maps scalar names to JSON Schemas',
    isObject,
  ).default({}),
  limits: group<GraphqlOperationLimits, typeof LIMITS>(LIMITS),
} satisfies OptionTable<GraphqlOperationsOptions>;

/**
 * The options with defaults applied. If `mutations` is unset, no mutations are published, with a
 * warning.
 */
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
