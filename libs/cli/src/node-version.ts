// Without imports: older versions of Node.js lack names that other files import.

/** The oldest version that runs this package, as its package.json says. */
const OLDEST = [20, 19] as const;

/** Returns what to tell the user of a version that is too old; undefined for others. */
export function oldNodeText(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `fledge: Node.js ${version} is too old. Install Node.js ${OLDEST.join('.')} or later.\n`;
}
