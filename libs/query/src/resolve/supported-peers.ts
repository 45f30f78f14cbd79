import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UnsupportedPeerError } from '../query.errors.js';

/** The ranges of package.json: versions that the specs have run against (`npm run matrix:peers`). */
export const SUPPORTED_PEERS = {
  '@mikro-orm/core': '^6.6.0 || ^7.0.0',
  '@prisma/client': '^6.0.0 || ^7.0.0',
  'drizzle-orm': '^0.44.0 || ^0.45.0',
  knex: '^2.0.0 || ^3.0.1',
  kysely: '^0.28.0 || ^0.29.0',
  mongoose: '^8.9.0 || ^9.0.0',
  typeorm: '^0.3.20 || ^1.0.0',
} as const;

/**
 * Refuses a version of an ORM that the adapter was not made for. A version that cannot be read, as in a bundle,
 * passes.
 * @throws UnsupportedPeerError
 */
export function checkPeer(
  peer: keyof typeof SUPPORTED_PEERS,
  subpath: string,
  version = installedVersion(peer),
): void {
  const range = SUPPORTED_PEERS[peer];
  if (version !== undefined && !isInRange(version, range)) {
    throw new UnsupportedPeerError(peer, version, range, subpath);
  }
}

/** Undefined if the package is not installed, or if its package.json cannot be found. */
export function installedVersion(peer: string): string | undefined {
  try {
    // Not `peer/package.json`, which most packages do not export.
    const entry = createRequire(import.meta.url).resolve(peer);
    for (let at = dirname(entry); at !== dirname(at); at = dirname(at)) {
      const manifest = manifestIn(at);
      if (manifest?.name === peer) return manifest.version;
    }
  } catch {
    // No package, or a bundle, which has no files to look at.
  }
  return undefined;
}

/** Whether a version is in one of the caret ranges of `^0.44.0 || ^1.2.0`. Previews count as their release. */
export function isInRange(version: string, range: string): boolean {
  const found = numbersOf(version);
  return range.split(' || ').some((part) => {
    const lowest = numbersOf(part);
    // A caret keeps the numbers up to the first that is not 0.
    const kept = lowest.findIndex((number) => number > 0);
    const differs = lowest.findIndex((number, i) => number !== found[i]);
    return differs === -1 || (differs > kept && (found[differs] ?? 0) > (lowest[differs] ?? 0));
  });
}

function numbersOf(version: string): number[] {
  return (/\d+\.\d+\.\d+/.exec(version)?.[0] ?? '').split('.').map(Number);
}

function manifestIn(folder: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as object;
  } catch {
    return undefined;
  }
}
