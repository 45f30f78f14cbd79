// The entry points of the packages. They are declared in `exports` of each package.json alone: Jest and the scripts read
// them from here, and scripts/check-entries.mjs writes them into the files that cannot.
import { posix } from 'node:path';
import { readPackages } from './packages.mjs';

// With slashes on Windows too: names and patterns are made of them.
const { join } = posix;

/** The packages in internal/ and libs/. */
export function listPackages() {
  return ['internal', 'libs'].flatMap(readPackages);
}

/**
 * The entry points of a package: how it is imported, its place below dist/ without an extension, its declarations, and
 * its source from the root.
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
