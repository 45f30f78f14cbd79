import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { UnsupportedPeerError } from '../query.errors.js';

/** The version ranges in package.json. `npm run matrix:peers` tests these versions. */
export const SUPPORTED_PEERS = {
  '@mikro-orm/core': '^6.6.0 || ^7.0.0',
  '@prisma/client': '^6.0.0 || ^7.0.0',
  'drizzle-orm': '^0.44.0 || ^0.45.0 || ^1.0.0-rc.5',
  knex: '^2.0.0 || ^3.0.1',
  kysely: '^0.28.0 || ^0.29.0',
  mongoose: '^8.9.0 || ^9.0.0',
  typeorm: '^0.3.20 || ^1.0.0',
} as const;

/**
 * Returns the version of an ORM. Accepts an unknown version, for example in a bundle.
 * @throws UnsupportedPeerError
 */
export function checkPeer(
  peer: keyof typeof SUPPORTED_PEERS,
  subpath: string,
  version = installedVersion(peer),
): string | undefined {
  const range = SUPPORTED_PEERS[peer];
  if (version !== undefined && !isInRange(version, range)) {
    throw new UnsupportedPeerError(peer, version, range, subpath);
  }
  return version;
}

/** Returns undefined if the package or its package.json is not found. */
export function installedVersion(peer: string): string | undefined {
  try {
    // Most packages do not export their package.json.
    const entry = createRequire(import.meta.url).resolve(peer);
    for (let at = dirname(entry); at !== dirname(at); at = dirname(at)) {
      const manifest = manifestIn(at);
      if (manifest?.name === peer) return manifest.version;
    }
  } catch {
    // The peer is not installed, or is bundled.
  }
  return undefined;
}

/**
 * Returns true if a version is in one of the caret ranges, such as `^0.44.0 || ^1.2.0`. A
 * pre-release counts as its release. Core has similar code in installation-check.ts, because neither
 * package depends on the other.
 */
export function isInRange(version: string, range: string): boolean {
  const found = numbersOf(version);
  return range.split(' || ').some((part) => {
    const lowest = numbersOf(part);
    // A caret range fixes all numbers up to the first number that is not 0.
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
