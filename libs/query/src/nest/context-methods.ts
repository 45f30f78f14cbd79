import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { QueryOptions } from '../config/query-options.js';
import { type FetchedPage, paginate, type PageResult } from '../page/paginate.js';
import type { ResponseFor } from '../page/paginated-response.js';
import type { PartialTotal, Total } from '../page/total.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import type { RouteQueryOptions } from './query-module.options.js';
import { QUERY_OPTIONS } from './query.tokens.js';
import { type Fetcher, RequestQueries } from './request-queries.js';

declare global {
  // The namespace of @fledge/core, which extends it by name: this package works without that one.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Fledge {
    interface RequestContextMethods {
      /**
       * The query as filters, sort, page and search. Reads it once for one config and options.
       *
       * @param config which fields may be used; without it every well-formed field passes
       * @param options over those of `QueryModule`
       * @throws BadRequestException for a query that cannot be answered as asked
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
       * The body of a paginated answer: of rows and their total, or of what a fetcher fetches for `qs(config)`.
       *
       * @throws BadRequestException for a query that cannot be answered as asked, also by the fetcher
       * @throws InvalidTotalError
       * @example
       * ```ts
       * return ctx.paginate(({ pagination }) => tasks.find(pagination), { filterable: ['status'] });
       * ```
       */
      paginate<T, const Given extends Total | PartialTotal>(
        result: PageResult<T, Given>,
      ): ResponseFor<T, Given>;
      paginate<
        T,
        const Given extends Total | PartialTotal,
        const Config extends QueryFieldConfig = QueryFieldConfig,
      >(
        fetcher: (
          parsed: ParsedQuery<Config>,
        ) => FetchedPage<T, Given> | PromiseLike<FetchedPage<T, Given>>,
        config?: Config,
        options?: RouteQueryOptions,
      ): Promise<ResponseFor<T, Given>>;
    }
  }
}

/** The part of core's `RequestContext` that its new methods use. */
interface ExtensibleContext {
  readonly query: unknown;
  memo<T>(key: symbol, make: (provided: (token: symbol) => unknown) => T): T;
}

const QUERIES = Symbol.for('fledge:RequestQueries');

function queriesOf(ctx: ExtensibleContext): RequestQueries {
  return ctx.memo(
    QUERIES,
    (provided) => new RequestQueries(provided(QUERY_OPTIONS) as RouteQueryOptions | undefined),
  );
}

const methods = {
  qs(this: ExtensibleContext, config?: QueryFieldConfig, options?: QueryOptions): ParsedQuery {
    return queriesOf(this).read(this.query, config, options);
  },

  paginate(
    this: ExtensibleContext,
    given: PageResult<unknown> | Fetcher,
    config?: QueryFieldConfig,
    options?: RouteQueryOptions,
  ): unknown {
    return typeof given === 'function'
      ? queriesOf(this).fetch(given, this.query, config, options)
      : paginate(given);
  },
};

// Where core looks for methods of packages, whichever of the two is loaded first.
const METHODS = Symbol.for('fledge:RequestContext.methods');
Object.assign(((globalThis as { [METHODS]?: object })[METHODS] ??= {}), methods);
