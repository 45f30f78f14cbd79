import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { QueryOptions } from '../config/query-options.js';
import { type FetchedPage, paginate } from '../page/paginate.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { httpErrorOf } from './bad-request.js';
import { optionsOver, type RouteQueryOptions } from './query-module.options.js';
import { queryReader } from './query-reader.js';

/** What fetches the rows for a query. */
export type Fetcher = (
  parsed: ParsedQuery,
) => FetchedPage<unknown> | PromiseLike<FetchedPage<unknown>>;

/** What was read of the query of one request: for one config and options once. */
export class RequestQueries {
  private known: Map<unknown, Map<unknown, unknown>> | undefined;

  /** @param module the options of `QueryModule`, where the application has it */
  constructor(private readonly module: RouteQueryOptions | undefined) {}

  /** @throws BadRequestException */
  read<Config extends QueryFieldConfig, OptIn extends OptInOperator>(
    query: unknown,
    config: Config | undefined,
    options: QueryOptions<OptIn> | undefined,
  ): ParsedQuery<Config, OptIn> {
    this.known ??= new Map();
    let ofConfig = this.known.get(config);
    if (ofConfig === undefined) this.known.set(config, (ofConfig = new Map()));
    if (!ofConfig.has(options)) {
      ofConfig.set(options, queryReader(config, optionsOver(this.module, options))(query));
    }
    // Read by this very config and these options.
    return ofConfig.get(options) as ParsedQuery<Config, OptIn>;
  }

  /** @throws BadRequestException also for what the fetcher finds wrong with the query */
  async fetch(
    fetcher: Fetcher,
    query: unknown,
    config: QueryFieldConfig | undefined,
    options: RouteQueryOptions | undefined,
  ): Promise<unknown> {
    const parsed = this.read(query, config, options) as ParsedQuery;
    try {
      return await paginate(fetcher, parsed);
    } catch (error) {
      throw httpErrorOf(error);
    }
  }
}
