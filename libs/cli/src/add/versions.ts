/**
 * Returns true if a version matches a caret range, such as `^6.3.1 || ^7.0.0`. Our packages write
 * all peer ranges in this form. This code does not use semver, because every package ships a copy
 * of it.
 */
export function isInRange(version: string, range: string): boolean {
  const own = numbersOf(version);
  return range.split('||').some((part) => {
    const from = numbersOf(part);
    // In a caret range, all versions have the same first nonzero number.
    const fixed = from.findIndex((number) => number > 0) + 1;
    const differs = from.findIndex((number, i) => own[i] !== number);
    return differs < 0 || (differs >= fixed && (own[differs] ?? 0) > (from[differs] ?? 0));
  });
}

/**
 * Returns the major version of each part of a range: 6 and 7 for `^6.3.1 || ^7.0.0`. Returns an
 * empty list for `latest`, `catalog:` and similar values.
 */
export function majorsOf(range: string): number[] {
  return range
    .split('||')
    .flatMap((part) => /\d+/.exec(part) ?? [])
    .map(Number);
}

function numbersOf(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
