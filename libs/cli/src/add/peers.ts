import { NotAddedError } from '../cli.errors.js';
import { isObject, printJson, readJsonObject } from '../json.js';
import { isInRange, majorsOf } from './versions.js';

/** The fields that are read from a package's own package.json. */
export interface Manifest {
  readonly name: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Peer packages whose major version depends on the major version of NestJS. The first version in a
 * list is installed. npm itself selects nestjs-cls 6 on Node.js 20.
 */
const BOUND_TO_NEST: Readonly<Record<string, Readonly<Record<number, readonly number[]>>>> = {
  'nestjs-cls': { 11: [6], 12: [7, 6] },
};

/**
 * Major versions that are installed instead of the newest version. The newest version does not run
 * everywhere: graphql 17 needs Node.js 22.
 */
const INSTALLED_MAJOR: Readonly<Record<string, number>> = { graphql: 16 };

/** The packages that an application can load. */
export interface Installed {
  /** The version that the application loads. Undefined if it is not installed. */
  readonly versionOf: (name: string) => string | undefined;
  /** The packages that the workspace lists. They are in the package.json of a parent folder. */
  readonly ofWorkspace: ReadonlySet<string>;
}

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns the packages that a package.json lists, and the range of each package. */
export function dependenciesOf(manifest: Record<string, unknown>): Map<string, string> {
  const entries = KINDS.map((kind) => manifest[kind])
    .filter(isObject)
    .flatMap((list) => Object.entries(list))
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(entries);
}

/**
 * Adds the required peer dependencies of a package to package.json, unless the application already
 * lists them.
 * @returns the new text, and the added packages and their ranges
 * @throws NotAddedError if the package does not support the application's version of NestJS or of a
 * peer
 */
export function addPeers(
  text: string,
  added: Manifest,
  installed: Installed,
): { readonly text: string; readonly added: Readonly<Record<string, string>> } {
  const cure = 'Correct the file, then run nest add again.';
  const manifest = readJsonObject('package.json', text, cure);
  const present = dependenciesOf(manifest);
  const nest = nestMajor(present.get('@nestjs/core'), added, installed);
  const missing: Record<string, string> = {};
  for (const [peer, ranges] of Object.entries(requiredPeers(added))) {
    if (present.has(peer) || installed.ofWorkspace.has(peer)) {
      const accepted = acceptedWith(peer, ranges, nest);
      checkVersion({ name: peer, range: present.get(peer) }, accepted, added.name, installed);
    } else missing[peer] = rangeFor(peer, ranges, nest);
  }
  return { text: withDependencies(text, manifest, missing), added: missing };
}

/** Returns the major version of NestJS, 11 or 12. */
function nestMajor(range: string | undefined, added: Manifest, installed: Installed): number {
  const version = installed.versionOf('@nestjs/core');
  if (version === undefined && range === undefined) {
    throw new NotAddedError(
      'package.json does not list @nestjs/core. Run nest add in the folder of an application.',
    );
  }
  const accepted = added.peerDependencies?.['@nestjs/core'] ?? '^11.0.0 || ^12.0.0';
  checkVersion({ name: '@nestjs/core', range }, accepted, added.name, installed);
  const major = majorsOf(version ?? range ?? '').at(-1);
  if (major !== undefined) return major;
  throw new NotAddedError(
    `The version of @nestjs/core is unknown: package.json has the range ${range}, and @nestjs/core is not ` +
      'installed. Install the packages of the application, then run nest add again.',
  );
}

/**
 * The installed version is checked, because ranges such as `*` and `catalog:` do not contain a
 * version.
 */
function checkVersion(
  { name, range }: { readonly name: string; readonly range: string | undefined },
  accepted: string,
  by: string,
  { versionOf }: Installed,
): void {
  const version = versionOf(name);
  const majors = majorsOf(range ?? '');
  const fits =
    version === undefined
      ? majors.length === 0 || majors.some((major) => majorsOf(accepted).includes(major))
      : isInRange(version, accepted);
  if (fits) return;
  const fact =
    version === undefined ? `package.json has ${name} ${range}` : `${name} ${version} is installed`;
  throw new NotAddedError(
    `${fact}, but ${by} requires ${accepted}. Install a version in this range, then run nest add again.`,
  );
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) {
  const required = Object.entries(peerDependencies).filter(
    ([peer]) => !peerDependenciesMeta[peer]?.optional,
  );
  return Object.fromEntries(required);
}

/** Returns the parts of a range that support a major version of NestJS. */
function acceptedWith(peer: string, ranges: string, nest: number): string {
  const majors = BOUND_TO_NEST[peer]?.[nest];
  if (majors === undefined) return ranges;
  const parts = partsOf(ranges).filter((part) => majorsOf(part).some((it) => majors.includes(it)));
  return parts.join(' || ');
}

/**
 * Returns the part of a range (such as `^6.3.1 || ^7.0.0`) that is installed for a major version of
 * NestJS.
 */
function rangeFor(peer: string, ranges: string, nest: number): string {
  const parts = partsOf(ranges);
  const major = peer.startsWith('@nestjs/')
    ? nest
    : (BOUND_TO_NEST[peer]?.[nest]?.[0] ?? INSTALLED_MAJOR[peer]);
  return parts.find((part) => majorsOf(part)[0] === major) ?? parts.at(-1) ?? ranges;
}

const partsOf = (ranges: string) => ranges.split('||').map((part) => part.trim());

function withDependencies(
  text: string,
  manifest: Record<string, unknown>,
  missing: Readonly<Record<string, string>>,
): string {
  if (Object.keys(missing).length === 0) return text;
  const own = isObject(manifest['dependencies']) ? manifest['dependencies'] : {};
  // Package managers sort dependencies by name.
  const dependencies = Object.fromEntries(
    Object.entries({ ...own, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return printJson({ ...manifest, dependencies }, text);
}
