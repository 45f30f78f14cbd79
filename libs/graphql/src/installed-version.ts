import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Returns the version of an installed package, for messages. Undefined if it is not found, such as in a bundle. */
export function installedVersion(name: string): string | undefined {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    while (dirname(folder) !== folder) {
      const found = manifestIn(folder);
      if (found?.name === name) return found.version;
      folder = dirname(folder);
    }
  } catch {
    // Not installed where this package looks for it.
  }
  return undefined;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return undefined;
  }
}
