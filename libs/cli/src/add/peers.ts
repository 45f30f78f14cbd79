import { NotAddedError } from '../cli.errors.js';
import { isObject, printJson, readJsonObject } from '../json.js';

/** The part of a package's own package.json that is read. */
export interface Manifest {
  readonly name: string;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** Major versions where the newest one does not run: nestjs-cls 7 on Nest 11, graphql 17 on Node.js 20. */
const MAJORS: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  'nestjs-cls': { 11: 6, 12: 7 },
  graphql: { 11: 16, 12: 16 },
};

const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** Returns every package that a package.json lists, with its range. */
export function dependenciesOf(manifest: Record<string, unknown>): Map<string, string> {
  const entries = KINDS.map((kind) => manifest[kind])
    .filter(isObject)
    .flatMap((list) => Object.entries(list))
    .filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Map(entries);
}

/**
 * Adds the required peers of a package to the package.json of an application that does not list them.
 * @returns the text, and the added packages with their ranges
 * @throws NotAddedError for another major version of NestJS or of a peer
 */
export function addPeers(
  text: string,
  added: Manifest,
): { readonly text: string; readonly added: Readonly<Record<string, string>> } {
  const cure = 'Correct it, then run nest add again.';
  const manifest = readJsonObject('package.json', text, cure);
  const present = dependenciesOf(manifest);
  const nest = nestMajor(present.get('@nestjs/core'), added.name);
  const missing: Record<string, string> = {};
  for (const [peer, ranges] of Object.entries(requiredPeers(added))) {
    const range = rangeFor(peer, ranges, nest);
    const own = present.get(peer);
    if (own === undefined) missing[peer] = range;
    else if (peer in MAJORS && !majorsOf(own).some((major) => majorsOf(range).includes(major))) {
      throw new NotAddedError(
        `package.json has ${peer} ${own}, but ${added.name} needs ${range} with NestJS ${nest}. Install that version, then run nest add again.`,
      );
    }
  }
  return { text: withDependencies(text, manifest, missing), added: missing };
}

function nestMajor(range: string | undefined, name: string): number {
  const major = majorsOf(range ?? '').at(-1);
  if (major === 11 || major === 12) return major;
  throw new NotAddedError(
    range === undefined
      ? 'package.json does not list @nestjs/core. Run nest add in the folder of an application.'
      : `package.json has @nestjs/core ${range}, but ${name} needs NestJS 11 or 12.`,
  );
}

function requiredPeers({ peerDependencies = {}, peerDependenciesMeta = {} }: Manifest) {
  const required = Object.entries(peerDependencies).filter(
    ([peer]) => !peerDependenciesMeta[peer]?.optional,
  );
  return Object.fromEntries(required);
}

/** Of `^6.3.1 || ^7.0.0` the part that runs with a major version of NestJS. */
function rangeFor(peer: string, ranges: string, nest: number): string {
  const parts = ranges.split('||').map((part) => part.trim());
  const major = peer.startsWith('@nestjs/') ? nest : MAJORS[peer]?.[nest];
  return parts.find((part) => majorsOf(part)[0] === major) ?? parts.at(-1) ?? ranges;
}

/** The first number of each part: 6 and 7 of `^6.3.1 || ^7.0.0`. Empty for `latest` and the like. */
function majorsOf(range: string): number[] {
  return range
    .split('||')
    .flatMap((part) => /\d+/.exec(part) ?? [])
    .map(Number);
}

function withDependencies(
  text: string,
  manifest: Record<string, unknown>,
  missing: Readonly<Record<string, string>>,
): string {
  if (Object.keys(missing).length === 0) return text;
  const own = isObject(manifest['dependencies']) ? manifest['dependencies'] : {};
  // Sorted by name, as package managers write them.
  const dependencies = Object.fromEntries(
    Object.entries({ ...own, ...missing }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  return printJson({ ...manifest, dependencies }, text);
}
