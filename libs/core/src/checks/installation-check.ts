import { createRequire } from 'node:module';
import { DuplicateCopyError, UnsupportedVersionError } from '../errors.js';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const own = manifestOf('@fledge/core/package.json');

// This check runs on import. Otherwise, an unsupported version may cause other errors before Nest
// creates a module.
if (own) refuseVersions(own, process.versions.node, (name) => manifestOf(`${name}/package.json`));

/** Versions by the URL of each loaded copy of this package. All copies share this map. */
const copies = ((globalThis as Record<symbol, unknown>)[Symbol.for('@fledge/core:copies')] ??=
  new Map()) as Map<string, string>;
copies.set(import.meta.url, own?.version ?? 'unknown');

/** @throws DuplicateCopyError if several copies of this package are loaded */
export function refuseSecondCopy(loaded: ReadonlyMap<string, string> = copies): void {
  if (loaded.size > 1) throw new DuplicateCopyError([...loaded]);
}

/**
 * Checks versions, because package managers only warn about an unsupported peer or Node.js version.
 * @param installed reads the package.json of a package. Returns undefined if there is none
 * @throws UnsupportedVersionError
 */
export function refuseVersions(
  { engines, peerDependencies }: Pick<Manifest, 'engines' | 'peerDependencies'>,
  node: string,
  installed: (name: string) => Pick<Manifest, 'version'> | undefined,
): void {
  if (!fits(node, engines.node)) throw new UnsupportedVersionError('Node.js', engines.node, node);
  for (const [name, range] of Object.entries(peerDependencies)) {
    const version = installed(name)?.version;
    if (version === undefined || fits(version, range)) continue;
    throw new UnsupportedVersionError(name, range, version);
  }
}

/** Supports ranges such as `>=1.2.3` or `^1.2.3 || ^2.0.0`. Ignores a tag such as `-rc.1`. */
function fits(version: string, range: string): boolean {
  return range.split('||').some((part) => {
    const [found, least] = [numbersOf(version), numbersOf(part)];
    if (compare(found, least) < 0) return false;
    if (!part.includes('^')) return true;
    // In a caret range, all versions have the same first nonzero number.
    const kept = least.findIndex((number) => number > 0) + 1;
    return compare(found.slice(0, kept), least.slice(0, kept)) === 0;
  });
}

function numbersOf(version: string): number[] {
  return (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const at = left.findIndex((number, i) => number !== (right[i] ?? 0));
  return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}

/** Returns undefined if there is none, for example in a bundle. */
function manifestOf(path: string): Manifest | undefined {
  try {
    return createRequire(import.meta.url)(path) as Manifest;
  } catch {
    return undefined;
  }
}
