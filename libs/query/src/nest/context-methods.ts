import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { KeysetOptions } from '../page/keyset-page.js';
import type { CursorFetcher, CursorResponse, CursorResult } from '../page/cursor-page.js';
import {
  type AnyFetcher,
  type AnyResult,
  type PageFetcher,
  type PageResult,
  paginateAny,
} from '../page/paginate.js';
import type { ResponseFor, PartialTotal, Total } from '../page/paginated-response.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { mergeOptions } from '../query.defaults.js';
import type { QueryModuleOptions, QueryOptions, RouteQueryOptions } from '../query.options.js';
import { QUERY_OPTIONS } from './query-tokens.js';
import { httpErrorOf } from './http-error.js';
import { keysetOptionsOf } from './cursors.js';
import { type ListRequest, type ListResponse, readQueryBody } from './query-body.js';
import { queryReader } from './query-reader.js';

declare global {
  // TypeScript merges this declaration with the same namespace in @fledge/core.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Fledge {
    interface RequestContextMethods {
      /**
       * Parses the query of the request into filters, sort, page and search. The result is cached
       * for the same config and options.
       *
       * @param config the fields that clients may use. Without a config, every well-formed field is
       * accepted
       * @param options override the options of `QueryModule`
       * @throws BadRequestException if the query is invalid
       * @throws InvalidQueryConfigError
       * @example
       * ```ts
       * const parsed = ctx.qs({ filterable: ['status'], sortable: ['createdAt'] });
       * ```
       */
      qs<
        const Config extends QueryFieldConfig = QueryFieldConfig,
        const OptIn extends OptInOperator = never,
      >(
        config?: Config,
        options?: QueryOptions<OptIn>,
      ): ParsedQuery<Config, OptIn>;

      /**
       * Returns the paginated response. Pass the rows and their total, or a function that fetches
       * them. The function receives the result of `qs(config, options)`. For a page with a cursor,
       * pass `cursorOf` instead of a total.
       *
       * @param config the fields that clients may use. Without a config, every well-formed field is
       * accepted
       * @param options override the options of `QueryModule`
       * @throws BadRequestException if the query is invalid. Also if the fetcher throws
       * `InvalidQueryError`
       * @throws InvalidQueryConfigError
       * @throws InvalidTotalError if a total is not a whole number of 0 or more
       * @example
       * ```ts
       * return ctx.paginate(({ pagination }) => tasks.find(pagination), { filterable: ['status'] });
       * ```
       */
      paginate<T>(result: CursorResult<T>): CursorResponse<T>;
      paginate<T, const Config extends QueryFieldConfig = QueryFieldConfig>(
        fetcher: CursorFetcher<ParsedQuery<Config>, T>,
        config?: Config,
        options?: RouteQueryOptions,
      ): Promise<CursorResponse<T>>;
      paginate<T, const Given extends Total | PartialTotal>(
        result: PageResult<T, Given>,
      ): ResponseFor<T, Given>;
      paginate<
        T,
        const Given extends Total | PartialTotal,
        const Config extends QueryFieldConfig = QueryFieldConfig,
      >(
        fetcher: PageFetcher<ParsedQuery<Config>, T, Given>,
        config?: Config,
        options?: RouteQueryOptions,
      ): Promise<ResponseFor<T, Given>>;

      /**
       * Returns the options for `buildKeyset` of an adapter. They request the page of the query.
       *
       * @param query a query that was parsed with `cursors: true`
       * @param list a name for this list. Needed if another list has the same table and order.
       * @default none
       * @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option
       */
      cursor(query: Pick<ParsedQuery, 'after' | 'before'>, list?: string): KeysetOptions;
    }
  }
}

/** The part of core's `RequestContext` that these methods use. */
interface ExtensibleContext {
  readonly query: unknown;
  readonly req: ListRequest;
  readonly res: ListResponse;
  memo<T>(key: symbol, make: (provided: (token: symbol) => unknown) => T): T;
}

const QUERIES = Symbol.for('fledge:RequestQueries');

/** `module` is undefined if the application does not import `QueryModule`. */
interface RequestQueries {
  readonly module: QueryModuleOptions | undefined;
  /** The first key is the config, and the second key is the options. */
  readonly parsed: Map<unknown, Map<unknown, ParsedQuery>>;
}

function queriesOf(ctx: ExtensibleContext): RequestQueries {
  return ctx.memo(QUERIES, (provided) => ({
    module: provided(QUERY_OPTIONS) as QueryModuleOptions | undefined,
    parsed: new Map(),
  }));
}

const methods = {
  qs(this: ExtensibleContext, config?: QueryFieldConfig, options?: QueryOptions): ParsedQuery {
    return parsedQueryOf(this, config, options);
  },

  paginate(
    this: ExtensibleContext,
    given: AnyResult | AnyFetcher,
    config?: QueryFieldConfig,
    options?: RouteQueryOptions,
  ): unknown {
    return typeof given === 'function'
      ? fetchedPage(this, given, config, options)
      : paginateAny(given);
  },

  cursor(
    this: ExtensibleContext,
    query: Pick<ParsedQuery, 'after' | 'before'>,
    list?: string,
  ): KeysetOptions {
    return keysetOptionsOf(queriesOf(this).module, query, list);
  },
};

function parsedQueryOf(
  ctx: ExtensibleContext,
  config: QueryFieldConfig | undefined,
  options: RouteQueryOptions | undefined,
): ParsedQuery {
  readQueryBody(ctx.req, ctx.res);
  const { module, parsed } = queriesOf(ctx);
  const byOptions = parsed.get(config) ?? new Map<unknown, ParsedQuery>();
  const query =
    byOptions.get(options) ??
    (queryReader(config, mergeOptions(module, options))(ctx.query) as ParsedQuery);
  parsed.set(config, byOptions.set(options, query));
  return query;
}

async function fetchedPage(
  ctx: ExtensibleContext,
  fetcher: AnyFetcher,
  config: QueryFieldConfig | undefined,
  options: RouteQueryOptions | undefined,
): Promise<unknown> {
  const parsed = parsedQueryOf(ctx, config, options);
  try {
    return await paginateAny(fetcher, parsed);
  } catch (error) {
    throw httpErrorOf(error);
  }
}

// The global place where core finds the methods of other packages. The packages may load in any
// order.
const METHODS = Symbol.for('fledge:RequestContext.methods');
Object.assign(((globalThis as { [METHODS]?: object })[METHODS] ??= {}), methods);
