import type { PipeTransform } from '@nestjs/common';
import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { QueryOptions } from '../config/query-options.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { queryReader } from './query-reader.js';
import { querySchemaOf } from './query-schema.js';
import { StandardQuerySchema } from './standard-query-schema.js';

/**
 * Reads what Nest's own `@Query()` hands over. Nest injects nothing into a pipe it did not make, so the
 * options of `QueryModule` do not reach it: `@Qs()` does the same with them.
 *
 * @throws InvalidQueryConfigError where it stands, so at boot
 * @example
 * ```ts
 * @Get() list(@Query(new QueryPipe(TASKS)) query: ParsedQuery<typeof TASKS>) { ... }
 * ```
 */
export class QueryPipe<
  const Config extends QueryFieldConfig = QueryFieldConfig,
  const OptIn extends OptInOperator = never,
> implements PipeTransform {
  /** For @fledge/mcp, which looks for a schema here. */
  readonly schema: StandardQuerySchema;
  private readonly read: (query: unknown) => ParsedQuery<Config, OptIn>;

  constructor(config?: Config, options: QueryOptions<OptIn> = {}) {
    this.schema = new StandardQuerySchema(() => querySchemaOf(config, options));
    this.read = queryReader(config, options);
  }

  /** @throws BadRequestException */
  transform(query: unknown): ParsedQuery<Config, OptIn> {
    return this.read(query);
  }
}
