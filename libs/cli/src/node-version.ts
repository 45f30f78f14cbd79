// Checks the version of Node.js. Must not import other files, because they use functions that older
// versions of Node.js do not have.

/** The oldest version that the `engines` of package.json allow. */
const OLDEST = [20, 19] as const;

/**
 * Returns the message for a Node.js version that is too old. Returns undefined for other versions.
 */
export function oldNodeText(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return undefined;
  return `fledge: Node.js ${version} is too old. Install Node.js ${OLDEST.join('.')} or later.\n`;
}
