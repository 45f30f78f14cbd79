import type { AnyParsedQuery } from '../parse/parsed-query.js';

/** Turns a parsed query into what an ORM takes. `build` throws nothing but `InvalidQueryError` for a query. */
export interface QueryBuilderAdapter<Result, Config> {
  readonly name: string;
  build(parsed: AnyParsedQuery, config: Config): Result;
}
