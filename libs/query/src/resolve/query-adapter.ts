import type { AnyParsedQuery } from '../parse/parsed-query.js';

/** Turns a parsed query into what an ORM takes. `build` throws nothing but `InvalidQueryError` for a query. */
export interface QueryBuilderAdapter<Result, Config> {
  readonly name: string;
  build(parsed: AnyParsedQuery, config: Config): Result;
}

/** An adapter of this package. */
export interface CheckingAdapter<Result, Config> extends QueryBuilderAdapter<Result, Config> {
  /**
   * Throws what `build` would throw for the config. Call it at boot: `build` runs with the first request.
   * @throws InvalidQueryConfigError
   */
  check(config: Config): void;
}
