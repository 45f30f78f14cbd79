/** The compiled rule for identifiers. */
export interface ResolvedIdentifierRule {
  /** Matches the whole identifier. */
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly normalize: ((identifier: string) => string) | undefined;
}

/**
 * Validates and normalizes an identifier. Returns undefined if it is invalid.
 * @throws any error of `normalize`
 */
export function checkIdentifier(raw: string, rule: ResolvedIdentifierRule): string | undefined {
  if (!isWellFormed(raw, rule)) return undefined;
  if (rule.normalize === undefined) return raw;
  const identifier = rule.normalize(raw);
  // Checked again, because the result is used in keys and paths, and passed to tenancy.run(id).
  return isWellFormed(identifier, rule) ? identifier : undefined;
}

function isWellFormed(value: unknown, { pattern, maxLength }: ResolvedIdentifierRule): boolean {
  // Checks the length first, so a slow pattern does not run on ten kilobytes.
  return (
    typeof value === 'string' && value !== '' && value.length <= maxLength && pattern.test(value)
  );
}

/**
 * Anchors a pattern to the whole string, and removes the flags that keep a position between calls.
 */
export function wholePattern({ source, flags }: RegExp): RegExp {
  return new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ''));
}
