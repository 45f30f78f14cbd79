/**
 * Returns true if a version is in a range of carets, such as `^6.3.1 || ^7.0.0`, the only form in which our packages
 * name their peers. Written without semver, because packages carry this code into applications.
 */
export function isInRange(version: string, range: string): boolean {
  const own = numbersOf(version);
  return range.split('||').some((part) => {
    const from = numbersOf(part);
    // A caret keeps the first number that is not 0.
    const fixed = from.findIndex((number) => number > 0) + 1;
    const differs = from.findIndex((number, i) => own[i] !== number);
    return differs < 0 || (differs >= fixed && (own[differs] ?? 0) > (from[differs] ?? 0));
  });
}

/** The first number of each part: 6 and 7 of `^6.3.1 || ^7.0.0`. Empty for `latest`, `catalog:` and the like. */
export function majorsOf(range: string): number[] {
  return range
    .split('||')
    .flatMap((part) => /\d+/.exec(part) ?? [])
    .map(Number);
}

function numbersOf(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}
