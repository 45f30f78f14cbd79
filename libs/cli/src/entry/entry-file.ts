import { readFileSync, statSync } from 'node:fs';
import { extname, posix, resolve } from 'node:path';
import { BadEntryError, EntryNotFoundError } from '../cli.errors.js';
import { isObject } from '../json.js';
import { nestEntries } from './nest-entries.js';
import type { ReadText } from './out-dir.js';

/**
 * Finds the file that starts the application.
 * @param folder the folder of the application
 * @param named the value of `--entry`, relative to the current folder or to `folder`
 * @param first the folder that is searched first
 * @returns the absolute path
 * @throws BadEntryError, EntryNotFoundError
 */
export function findEntry(
  folder: string,
  named?: string,
  first: 'current' | 'application' = 'current',
): string {
  if (named !== undefined) return namedEntry(named, folder, first);
  const read: ReadText = (path) =>
    isFile(resolve(folder, path)) ? readFileSync(resolve(folder, path), 'utf8') : undefined;
  const candidates = entryCandidates(read);
  const found = candidates.find((path) => isFile(resolve(folder, path)));
  if (found === undefined) throw new EntryNotFoundError(folder, candidates);
  return resolve(folder, found);
}

/** Returns the possible paths of the built entry file. The most likely path comes first. */
export function entryCandidates(read: ReadText): string[] {
  return [...new Set([...nestEntries(read), ...packageMain(read), 'dist/main.js'])];
}

function packageMain(read: ReadText): string[] {
  try {
    const manifest: unknown = JSON.parse(read('package.json') ?? '');
    const main = isObject(manifest) ? manifest['main'] : undefined;
    return typeof main === 'string' && /\.[cm]?js$/.test(main) ? [posix.normalize(main)] : [];
  } catch {
    return [];
  }
}

function namedEntry(named: string, folder: string, first: 'current' | 'application'): string {
  if (/^\.[cm]?tsx?$/.test(extname(named))) {
    throw new BadEntryError(
      `--entry ${named} is a TypeScript file, which Node.js does not run. Build the application (npm run build) ` +
        'and pass the built file: --entry dist/main.js.',
    );
  }
  const paths = [resolve(named), resolve(folder, named)];
  const found = (first === 'current' ? paths : paths.toReversed()).find(isFile);
  if (found === undefined) {
    throw new BadEntryError(
      `--entry ${named} does not exist in ${folder}. Build the application (npm run build), or correct the path.`,
    );
  }
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
