import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { buildQueryParams } from './query-params.js';

/**
 * A parsed query as a query string, without the question mark. Lists are repeated keys, never `filter[]`:
 * every server reads those alike.
 *
 * @throws UnbuildableQueryError
 */
export function buildQueryString(parsed: Partial<AnyParsedQuery>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(buildQueryParams(parsed))) {
    for (const item of [value].flat()) text.append(name, String(item));
  }
  return text.toString();
}
