import type { QueryFieldConfig } from '../config/field-config.js';
import type { OptInOperator } from '../config/operators.js';
import { compileQuery } from '../parse/parse-query.js';
import type { ParsedQuery } from '../parse/parsed-query.js';
import type { QueryOptions } from '../query.options.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import { httpErrorOf } from './http-error.js';

/**
 * Checks a config and options at startup.
 * @param place handler with the decorator, such as `TasksController.list`
 * @throws InvalidQueryConfigError
 */
export function checkQuery(
  config: QueryFieldConfig | undefined,
  options: QueryOptions<OptInOperator>,
  place: string,
): void {
  try {
    compileQuery(config, options);
  } catch (error) {
    if (!(error instanceof InvalidQueryConfigError)) throw error;
    throw new InvalidQueryConfigError(`${place}: ${error.message}`);
  }
}

/**
 * Returns a parser that throws Nest's `BadRequestException` for an invalid query.
 * @throws InvalidQueryConfigError
 */
export function queryReader<
  const Config extends QueryFieldConfig = QueryFieldConfig,
  const OptIn extends OptInOperator = never,
>(
  config: Config | undefined,
  options: QueryOptions<OptIn>,
): (query: unknown) => ParsedQuery<Config, OptIn> {
  const parse = compileQuery(config, options);
  return (query) => {
    try {
      return parse(query);
    } catch (error) {
      throw httpErrorOf(error);
    }
  };
}
