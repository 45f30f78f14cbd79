// The tiers of tests. The folder of a spec in `libs/*/test`, `apps/*/test` and `test` determines
// its tier: a spec in `databases/` belongs to the tier `databases`. Specs outside such folders
// belong to `unit`.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The requirements of each tier in addition to `npm ci`. */
export const TIERS = {
  /** Pure functions and whole flows in one process, with embedded databases: `npm test`. */
  unit: {},
  /** PostgreSQL, MariaDB, Redis and message brokers. */
  databases: { needsServices: true },
  /**
   * The `fledge` command, stdio, several processes, killed processes. These tests run the built
   * packages.
   */
  processes: { needsBuild: true, needsServices: true },
  /** Packed packages in an application that uses them, and the code snippets of the documents. */
  packed: { needsBuild: true, needsServices: true },
  /** Chromium. */
  browsers: { needsBuild: true, needsServices: true },
  /** Load tests that take minutes. Not part of every CI run. */
  soak: { needsBuild: true, needsServices: true },
  /** Checks the documents against the sources. Part of `npm run check`. */
  documents: {},
};

const FOLDERS = Object.keys(TIERS).filter((name) => name !== 'unit');

/** Returns the tier folders in the path of a spec. A spec must have at most one. */
export function findTierFolders(path) {
  const folders = path.split('/').slice(0, -1);
  const tests = folders.indexOf('test');
  return tests < 0 ? [] : folders.slice(tests).filter((name) => FOLDERS.includes(name));
}

/** Returns a pattern for Jest that matches the paths of a tier. */
export const tierPattern = (name) => `/test/(?:[^/]+/)*${name}/`;

export const anyTierPattern = `/test/(?:[^/]+/)*(?:${FOLDERS.join('|')})/`;

/** Returns the paths of all specs in the repository. */
export function listSpecs() {
  return ['internal', 'libs', 'apps', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true })
      .map((path) => join(root, path))
      .filter((path) => /\.(e2e-)?spec\.ts$/.test(path) && !path.includes('node_modules')),
  );
}
