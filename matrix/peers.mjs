// Versions of the peers at one end of the ranges that the package.json of our libs declare.
import { BESIDE_CORE, PEERS } from './scenarios.mjs';

// nestjs-cls 7 imports a path of Nest that Nest 11 does not have when it is loaded as ESM.
const MAJORS = {
  'nestjs-cls': { 11: 6 },
  // graphql 17 needs Node.js 22; `npm run matrix:peers -- graphql` runs it there.
  graphql: { 11: 16, 12: 16 },
};

// Releases whose peers npm's default rules refuse give way to the first that installs:
// @nestjs/core 12.0.0 requires @nestjs/common 11, @nestjs/platform-fastify 11.0.0 and 11.0.1 require 10.
const INSTALLABLE = {
  '@nestjs/common@12.0.0': '12.0.1',
  '@nestjs/core@12.0.0': '12.0.1',
  '@nestjs/platform-fastify@11.0.0': '11.0.3',
};
const installable = (name, version) => INSTALLABLE[`${name}@${version}`] ?? version;

/** `{ name: version or range }` of what an application installs. */
export function peersOf({ nest, ends }, libs) {
  const versions = {};
  for (const name of PEERS) {
    const major = name.startsWith('@nestjs/') ? nest : MAJORS[name]?.[nest];
    const ofLibs = rangesOf(name, libs).map((range) => endOf(range, ends, major));
    versions[name] = installable(name, ofLibs.toSorted(byVersion).at(-1));
  }
  for (const name of [...BESIDE_CORE, '@nestjs/testing']) {
    versions[name] = installable(name, versions['@nestjs/core']);
  }
  return versions;
}

/** An application has all libs, so its lowest version is the highest of theirs. */
const byVersion = (a, b) => a.localeCompare(b, 'en', { numeric: true });

function rangesOf(name, libs) {
  const ranges = libs.flatMap(({ peerDependencies = {} }) => peerDependencies[name] ?? []);
  if (ranges.length === 0)
    throw new Error(`No lib has ${name} as a peer. Mend PEERS in matrix/scenarios.mjs.`);
  return ranges;
}

/** `^11.0.0 || ^12.0.0` at its lowest end is 11.0.0, at its highest ^12.0.0. */
export function endOf(range, ends, major) {
  const parts = range
    .split('||')
    .map((part) => part.trim())
    .filter((part) => major === undefined || part.replace(/^\D+/, '').startsWith(`${major}.`));
  const part = ends === 'lowest' ? parts[0] : parts.at(-1);
  if (part === undefined) throw new Error(`The range ${range} leaves out major version ${major}.`);
  return ends === 'lowest' ? part.replace(/^\D+/, '') : part;
}
