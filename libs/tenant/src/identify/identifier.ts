/** The rule for valid identifiers. */
export interface ResolvedIdentifierRule {
  /** Matches the whole identifier. */
  readonly pattern: RegExp;
  readonly maxLength: number;
  readonly normalize: ((identifier: string) => string) | undefined;
}

/** Returns undefined if the identifier is invalid. @throws any error of `normalize` */
export function checkIdentifier(raw: string, rule: ResolvedIdentifierRule): string | undefined {
  if (!isWellFormed(raw, rule)) return undefined;
  if (rule.normalize === undefined) return raw;
  const identifier = rule.normalize(raw);
  // The result is checked again, because keys and paths contain it. tenancy.run(id) must accept it.
  return isWellFormed(identifier, rule) ? identifier : undefined;
}

function isWellFormed(value: unknown, { pattern, maxLength }: ResolvedIdentifierRule): boolean {
  // The length is checked first. A slow pattern must not run on a very long string.
  return (
    typeof value === 'string' && value !== '' && value.length <= maxLength && pattern.test(value)
  );
}

/** Also removes the flags that store a position between calls. */
export function wholePattern({ source, flags }: RegExp): RegExp {
  return new RegExp(`^(?:${source})$`, flags.replace(/[gmy]/g, ''));
}
