import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { KeysetOptions } from '../page/keyset-page.js';
import { type AnyFetcher, paginateAny } from '../page/paginate.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { mergeOptions } from '../query.defaults.js';
import type { QueryModuleOptions, QueryOptions, RouteQueryOptions } from '../query.options.js';
import { keysetOptionsOf } from './cursors.js';
import { httpErrorOf } from './bad-request.js';
import { queryReader } from './query-reader.js';

/** The parsed queries of one request, cached by config and options. */
export class RequestQueries {
  private parsed: Map<unknown, Map<unknown, unknown>> | undefined;

  /** @param module the options of `QueryModule`, if the application imports it */
  constructor(private readonly module: QueryModuleOptions | undefined) {}

  /** @throws BadRequestException for an invalid query */
  read<Config extends QueryFieldConfig, OptIn extends OptInOperator>(
    query: unknown,
    config: Config | undefined,
    options: QueryOptions<OptIn> | undefined,
  ): ParsedQuery<Config, OptIn> {
    this.parsed ??= new Map();
    let byOptions = this.parsed.get(config);
    if (byOptions === undefined) this.parsed.set(config, (byOptions = new Map()));
    if (!byOptions.has(options)) {
      byOptions.set(options, queryReader(config, mergeOptions(this.module, options))(query));
    }
    // Parsed by this config and these options.
    return byOptions.get(options) as ParsedQuery<Config, OptIn>;
  }

  /** @throws InvalidQueryConfigError if `QueryModule` has no `cursors` option */
  cursor(query: Pick<ParsedQuery, 'after'>, list: string | undefined): KeysetOptions {
    return keysetOptionsOf(this.module, query, list);
  }

  /** @throws BadRequestException for an invalid query, also if the fetcher throws it */
  async fetch(
    fetcher: AnyFetcher,
    query: unknown,
    config: QueryFieldConfig | undefined,
    options: RouteQueryOptions | undefined,
  ): Promise<unknown> {
    const parsed = this.read(query, config, options) as ParsedQuery;
    try {
      return await paginateAny(fetcher, parsed, mergeOptions(this.module, options));
    } catch (error) {
      throw httpErrorOf(error);
    }
  }
}
