/** A package manager that `nest add` can run. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

const LOCK_FILES: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
];

/**
 * Returns the package manager of the nearest lock file. Returns npm if there is none.
 * @param folders the folder of the application, then its parent folders from the nearest upward
 */
export function packageManagerOf(
  folders: readonly string[],
  isFile: (folder: string, name: string) => boolean,
): PackageManager {
  for (const folder of folders) {
    const found = LOCK_FILES.find(([name]) => isFile(folder, name));
    if (found !== undefined) return found[1];
  }
  return 'npm';
}
