import type { AnyParsedQuery } from '../parse/parsed-query.js';

/** Translates a parsed query for an ORM. */
export interface QueryBuilderAdapter<Result, Config> {
  readonly name: string;
  /**
   * @throws InvalidQueryError for a value that does not fit its column
   * @throws InvalidQueryConfigError for a wrong config
   */
  build(parsed: AnyParsedQuery, config: Config): Result;
}

/** An adapter that can check a config without a query. The adapters of this package are of this type. */
export interface CheckingAdapter<Result, Config> extends QueryBuilderAdapter<Result, Config> {
  /**
   * Checks a config as `build` does. Call it at startup, because `build` runs only with the first
   * request.
   * @throws InvalidQueryConfigError for a wrong config
   */
  check(config: Config): void;
}
