import { acceptedRanges } from '@fledge/core/packages';

const RESPONSE_TYPE = 'application/graphql-response+json';

/** Returns the media type for an error: that of GraphQL if `Accept` names it, otherwise JSON. */
export function errorType(accept: string | undefined): string {
  const isNamed = acceptedRanges(accept ?? '').some(
    ([type, weight]) => type === RESPONSE_TYPE && weight > 0,
  );
  return isNamed ? RESPONSE_TYPE : 'application/json';
}
