import { acceptedRanges } from '@fledge/core/packages';

/** The types that a GraphQL client may ask for. */
const GRAPHQL_TYPES = [
  'application/graphql-response+json',
  'application/json',
  'text/event-stream',
  'multipart/mixed',
];

/**
 * True for the `Accept` header of a browser that opens a page: it names `text/html`, and prefers it to each type
 * of GraphQL that it names. Wildcards do not count, so clients that accept anything get GraphQL.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = new Map(acceptedRanges(accept));
  const html = weights.get('text/html') ?? 0;
  return html > 0 && GRAPHQL_TYPES.every((type) => html > (weights.get(type) ?? 0));
}
