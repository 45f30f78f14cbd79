import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import { InvalidQueryConfigError } from '../query.errors.js';
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

  /**
   * @throws BadRequestException if the query is invalid
   * @throws InvalidQueryConfigError if the pipe is on a path parameter or on a single parameter of
   * the query string. The pipe would receive a string, and the client would get all rows
   */
  transform(query: unknown, argument?: ArgumentMetadata): ParsedQuery<Config, OptIn> {
    if (argument?.type === 'param' || (argument?.type === 'query' && argument.data !== undefined)) {
      throw misplaced(argument);
    }
    return this.read(query);
  }
}

function misplaced({ type, data }: ArgumentMetadata): InvalidQueryConfigError {
  const decorator = type === 'param' ? '@Param' : '@Query';
  const name = data === undefined ? '' : `'${data}', `;
  return new InvalidQueryConfigError(
    `${decorator}(${name}new QueryPipe()) does not receive the whole query string.`,
    'Write @Query(new QueryPipe(CONFIG)), without the name of a parameter.',
  );
}
