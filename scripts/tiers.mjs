// The tiers of tests. The folder of a spec decides its tier, in `libs/*/test`, `apps/*/test` and `test`: a spec in
// `databases/` belongs to the tier of that name. Specs outside of such folders belong to `unit`.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What each tier requires besides `npm ci`. */
export const TIERS = {
  /** Pure functions and flows inside one process, with embedded databases: `npm test`. */
  unit: {},
  /** PostgreSQL, MariaDB, Redis and message brokers. */
  databases: { needsServices: true },
  /** The `fledge` command, stdio, several processes, kills. They run the built packages. */
  processes: { needsBuild: true, needsServices: true },
  /** Packed packages in an application that consumes them, and the snippets of the documents. */
  packed: { needsBuild: true, needsServices: true },
  /** Chromium. */
  browsers: { needsBuild: true, needsServices: true },
  /** Load of minutes. Not part of every run of CI. */
  soak: { needsBuild: true, needsServices: true },
  /** The documents against the sources: part of `npm run check`. */
  documents: {},
};

const FOLDERS = Object.keys(TIERS).filter((name) => name !== 'unit');

/** The tier folders in the path of a spec. A spec must have at most one. */
export function findTierFolders(path) {
  const folders = path.split('/').slice(0, -1);
  const tests = folders.indexOf('test');
  return tests < 0 ? [] : folders.slice(tests).filter((name) => FOLDERS.includes(name));
}

/** A pattern of the paths of a tier, for Jest. */
export const tierPattern = (name) => `/test/(?:[^/]+/)*${name}/`;

export const anyTierPattern = `/test/(?:[^/]+/)*(?:${FOLDERS.join('|')})/`;

/** Paths of all specs of the repository. */
export function listSpecs() {
  return ['internal', 'libs', 'apps', 'test'].flatMap((root) =>
    readdirSync(root, { recursive: true })
      .map((path) => join(root, path))
      .filter((path) => /\.(e2e-)?spec\.ts$/.test(path) && !path.includes('node_modules')),
  );
}
