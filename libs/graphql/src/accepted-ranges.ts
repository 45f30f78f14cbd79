/** A media range of an `Accept` header and its weight. */
export type WeighedRange = readonly [range: string, weight: number];

/**
 * Returns the media ranges of an `Accept` header in lower case, with their weights (RFC 9110 §12.4.2). An invalid
 * weight counts as 0.
 */
export function acceptedRanges(accept: string): readonly WeighedRange[] {
  return accept.toLowerCase().split(',').map(weighed);
}

function weighed(range: string): WeighedRange {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
