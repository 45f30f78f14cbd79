// Installs the packages of a folder from its lock file. The repository, `start/`, `bench/`, `docs/`
// and `matrix/` each have their own lock file, so their installations are independent.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { step } from './progress.mjs';

/**
 * Installs the packages in the lock file of a folder, unless they are installed. Returns true if
 * something was installed. Ends the process on failure.
 * @param options additional options of `npm ci`
 */
export async function installIfNeeded(folder, options = []) {
  if (isInstalled(folder)) return false;
  const wanted = Object.entries(lockedIn(folder, 'package-lock.json'))
    .filter(([, { optional }]) => !optional)
    .map(([path]) => join(folder, path, 'package.json'));
  await step(`Installing ${wanted.length} packages by npm ci`, {
    ...npm(['ci', '--no-audit', '--no-fund', '--loglevel=error', ...options], folder),
    progress() {
      const unpacked = wanted.filter((file) => existsSync(file)).length;
      return unpacked < wanted.length ? `${unpacked} of ${wanted.length}` : 'running their scripts';
    },
  });
  return true;
}

/**
 * Compiles better-sqlite3, or downloads a binary for this platform. It is the only package that
 * needs this. A machine without a compiler and without access to GitHub can do neither.
 */
export async function compileSqlite() {
  await step('Compiling better-sqlite3', {
    ...npm(['rebuild', '--loglevel=error', 'better-sqlite3'], '.'),
    otherwise: 'Tests of SQLite use the one of Node.js instead, which has it since 22.13.',
  });
}

function npm(args, cwd) {
  const isWindows = process.platform === 'win32';
  return { command: isWindows ? 'npm.cmd' : 'npm', args, options: { cwd, shell: isWindows } };
}

/** Returns true if node_modules contains exactly the packages and versions of the lock file. */
export function isInstalled(folder) {
  if (!existsSync(join(folder, 'node_modules/.package-lock.json'))) return false;
  const wanted = lockedIn(folder, 'package-lock.json');
  const present = lockedIn(folder, 'node_modules/.package-lock.json');
  return (
    Object.keys(present).every((path) => path in wanted) &&
    Object.entries(wanted).every(([path, { version, optional }]) =>
      // npm leaves out optional packages of other platforms.
      path in present ? present[path].version === version : optional === true,
    )
  );
}

/** Returns packages by their place in node_modules. Excludes workspaces, which are links. */
function lockedIn(folder, file) {
  const { packages } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link }]) => path.includes('node_modules/') && link !== true,
    ),
  );
}
