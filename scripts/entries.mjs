// The entry points of the packages. They are declared in `exports` of each package.json alone: Jest reads them from
// here, and scripts/check-entries.mjs writes them into the files that cannot.
import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { readJson } from './packages.mjs';

// With slashes on Windows too: names and patterns are made of them.
const { join } = posix;

/** The packages in internal/ and libs/: their folders, from the root, and their manifests. */
export function listPackages() {
  return ['internal', 'libs']
    .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }));
}

/** The entry points of a package: how it is imported, its declarations, and its source from the root. */
export function listEntries({ folder, manifest }) {
  return Object.entries(manifest.exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([subpath, { types }]) => ({
      subpath: subpath.slice(2),
      name: join(manifest.name, subpath),
      types,
      source: join(folder, types.replace('./dist/', 'src/').replace('.d.ts', '.ts')),
    }));
}
