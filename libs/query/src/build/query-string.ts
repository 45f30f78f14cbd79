import type { AnyParsedQuery } from '../parse/parsed-query.js';
import { buildQueryParams } from './query-params.js';

/**
 * Writes a parsed query as a query string, without the question mark. Lists are written as repeated keys, which Express
 * and Fastify decode alike.
 *
 * @throws UnbuildableQueryError for an item that parsing would drop or read as another
 */
export function buildQueryString(parsed: Partial<AnyParsedQuery>): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(buildQueryParams(parsed))) {
    for (const item of [value].flat()) text.append(name, String(item));
  }
  return text.toString();
}
