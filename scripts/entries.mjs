// The entry points of the packages. Each package.json declares them in `exports`. Jest and the
// scripts read them from here. scripts/check-entries.mjs copies them to files that cannot read
// them.
import { posix } from 'node:path';
import { readPackages } from './packages.mjs';

// Uses slashes on Windows too, because names and patterns are built from these paths.
const { join } = posix;

/** Returns the packages in internal/ and libs/. */
export function listPackages() {
  return ['internal', 'libs'].flatMap(readPackages);
}

/**
 * Returns the entry points of a package. Each has its import name, its place below dist/ without
 * extension, its declarations, and the path of its source from the root.
 */
export function listEntries({ folder, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([subpath, { types }]) => {
      const place = types.replace('./dist/', '').replace('.d.ts', '');
      return {
        subpath: subpath.slice(2),
        name: join(manifest.name, subpath),
        place,
        types,
        source: join(folder, 'src', `${place}.ts`),
      };
    });
}
