/** A media range of an `Accept` header and its weight. */
export type WeighedRange = readonly [range: string, weight: number];

/**
 * Returns the media ranges of an `Accept` header in lower case, with their weights (RFC 9110
 * §12.4.2). An invalid weight counts as 0.
 */
export function acceptedRanges(accept: string): readonly WeighedRange[] {
  return accept.toLowerCase().split(',').map(weighed);
}

/**
 * Returns the weight of a media type: the weight of the most specific range that matches, or 0 (RFC
 * 9110 §12.5.1).
 */
export function acceptedWeight(ranges: readonly WeighedRange[], type: string): number {
  const anyOfGroup = type.replace(/\/.*/, '/*');
  const matching = [type, anyOfGroup, '*/*']
    .map((name) => ranges.filter(([range]) => range === name))
    .find((found) => found.length > 0);
  return Math.max(0, ...(matching ?? []).map(([, weight]) => weight));
}

function weighed(range: string): WeighedRange {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [type, weight === undefined ? 1 : Number(weight.slice(2)) || 0];
}
