import type { AnyParsedQuery } from '../parse/parsed-query.js';

/** Translates a parsed query for an ORM. */
export interface QueryBuilderAdapter<Result, Config> {
  readonly name: string;
  /**
   * @throws InvalidQueryError if a value does not fit its column
   * @throws InvalidQueryConfigError if the config is wrong
   */
  build(parsed: AnyParsedQuery, config: Config): Result;
}

/** An adapter that can check a config without a query. All adapters of this package can. */
export interface CheckingAdapter<Result, Config> extends QueryBuilderAdapter<Result, Config> {
  /**
   * Checks a config in the same way as `build`. Call it at startup, because the first `build`
   * happens with the first request.
   * @throws InvalidQueryConfigError if the config is wrong
   */
  check(config: Config): void;
}
