import type { PipeTransform } from '@nestjs/common';
import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import type { QueryOptions } from '../query.options.js';
import { queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';

/**
 * Parses the value of Nest's own `@Query()`. You construct the pipe, so Nest cannot inject the
 * options of `QueryModule` into it. Use `@Qs()` to apply these options.
 *
 * @throws InvalidQueryConfigError at startup
 * @example
 * ```ts
 * @Get() list(@Query(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) { ... }
 * ```
 */
export class QueryPipe<
  const Config extends QueryFieldConfig = QueryFieldConfig,
  const OptIn extends OptInOperator = never,
> implements PipeTransform {
  /** The schema of the parameters. @fledge/mcp reads it. */
  readonly schema: StandardQuerySchema;
  private readonly read: (query: unknown) => ParsedQuery<Config, OptIn>;

  /**
   * @param config the fields that clients may use. Without a config, every well-formed field is
   * accepted
   * @param options the options of `parseQuery`, with the same defaults
   */
  constructor(config?: Config, options: QueryOptions<OptIn> = {}) {
    this.schema = new StandardQuerySchema(() => querySchemaOf(config, options));
    this.read = queryReader(config, options);
  }

  /** @throws BadRequestException if the query is invalid */
  transform(query: unknown): ParsedQuery<Config, OptIn> {
    return this.read(query);
  }
}
