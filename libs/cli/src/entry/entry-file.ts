import { readFileSync, statSync } from 'node:fs';
import { extname, posix, resolve } from 'node:path';
import { BadEntryError, EntryNotFoundError } from '../cli.errors.js';
import { isObject } from '../json.js';
import { nestEntries } from './nest-cli.js';
import type { ReadText } from './ts-config.js';

/**
 * Finds the file that starts the application.
 * @param folder of the application
 * @param named what `--entry` says: a path from the current folder, else from that of the application
 * @returns its absolute path
 * @throws BadEntryError, EntryNotFoundError
 */
export function findEntry(folder: string, named?: string): string {
  if (named !== undefined) return namedEntry(named, folder);
  const read: ReadText = (path) =>
    isFile(resolve(folder, path)) ? readFileSync(resolve(folder, path), 'utf8') : undefined;
  const candidates = entryCandidates(read);
  const found = candidates.find((path) => isFile(resolve(folder, path)));
  if (found === undefined) throw new EntryNotFoundError(folder, candidates);
  return resolve(folder, found);
}

/** The files that may be the application's built entry, best guess first. */
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

function namedEntry(named: string, folder: string): string {
  if (/^\.[cm]?tsx?$/.test(extname(named))) {
    throw new BadEntryError(
      `--entry ${named} is TypeScript, which Node.js does not run. Build it (npm run build) and name ` +
        'the result: --entry dist/main.js.',
    );
  }
  const found = [resolve(named), resolve(folder, named)].find(isFile);
  if (found === undefined) {
    throw new BadEntryError(
      `--entry ${named}: there is no such file in ${folder}. Build the application (npm run build), or correct the path.`,
    );
  }
  return found;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
