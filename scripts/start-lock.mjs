// Derives start/package.json and start/package-lock.json from the lock file of the repository, so
// that `npm start` installs the tested versions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const APP = 'apps/tasks';
const FOLDER = 'start';
const FLAGS = new Set(['dev', 'optional', 'devOptional', 'peer']);

/** Returns the expected content of the two files. */
export function startPackage(root = '.') {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { packages } = read('package-lock.json');
  const manifest = manifestOf(read, packages);
  const { name, version, dependencies, devDependencies, overrides } = manifest;
  const own = { name, version, dependencies, devDependencies };
  const locked = lockedBelow(packages, own);
  const unknown = Object.keys(overrides).filter((key) => !locked[`node_modules/${key}`]);
  for (const key of unknown) delete overrides[key];
  if (Object.keys(overrides).length === 0) delete manifest.overrides;
  const lock = { name, version, lockfileVersion: 3, requires: true };
  return {
    [join(FOLDER, 'package.json')]: textOf(manifest),
    [join(FOLDER, 'package-lock.json')]: textOf({ ...lock, packages: { '': own, ...locked } }),
  };
}

function textOf(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Returns the manifest of start/. Its dependencies are the packages that the demo and its libs
 * require. Its devDependencies are the build tools that the manifest already lists, with the ranges
 * of the root.
 */
function manifestOf(read, packages) {
  const root = read('package.json');
  const manifest = read(join(FOLDER, 'package.json'));
  const ranges = {};
  for (const folder of [APP, ...libsOf(packages, APP)]) {
    for (const [name, range] of Object.entries(requiredBy(packages[folder])))
      ranges[name] ??= range;
    const nested = Object.keys(packages).filter((path) =>
      path.startsWith(`${folder}/node_modules/`),
    );
    if (nested.length > 0)
      throw new Error(`${folder} has packages of its own: ${nested.join(', ')}.`);
  }
  const isLib = (name) => packages[`node_modules/${name}`]?.link === true;
  manifest.dependencies = sorted(Object.entries(ranges).filter(([name]) => !isLib(name)));
  manifest.devDependencies = sorted(
    Object.keys(manifest.devDependencies).map((name) => [name, root.devDependencies[name]]),
  );
  manifest.overrides = JSON.parse(JSON.stringify(root.overrides), (_, value) =>
    typeof value === 'string' && value.startsWith('$')
      ? root.devDependencies[value.slice(1)]
      : value,
  );
  return manifest;
}

/** Returns the folders of the workspaces that a workspace depends on. */
function libsOf(packages, folder) {
  const found = Object.keys(packages[folder].dependencies ?? {})
    .map((name) => packages[`node_modules/${name}`])
    .filter((entry) => entry.link === true)
    .map(({ resolved }) => resolved);
  return [...new Set(found.flatMap((lib) => [lib, ...libsOf(packages, lib)]))];
}

/** Returns dependencies and required peer dependencies. */
function requiredBy({ dependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.entries(peerDependencies).filter(
    ([name]) => peerDependenciesMeta[name]?.optional !== true,
  );
  return { ...Object.fromEntries(peers), ...dependencies };
}

/** Returns the locked packages that a manifest needs, at the same places as in the root. */
function lockedBelow(packages, { dependencies, devDependencies }) {
  const needed = closure(packages, Object.keys(dependencies), { optional: false });
  const possible = closure(packages, Object.keys(dependencies), { optional: true });
  const built = closure(packages, Object.keys(devDependencies), { optional: false });
  const all = new Set([
    ...possible,
    ...closure(packages, Object.keys(devDependencies), { optional: true }),
  ]);
  return sorted(
    [...all].map((path) => {
      const flags = {
        ...(!possible.has(path) && { dev: true }),
        ...(!needed.has(path) && !built.has(path) && { optional: true }),
        ...(possible.has(path) && !needed.has(path) && built.has(path) && { devOptional: true }),
      };
      return [path, withFlags(packages[path], flags)];
    }),
  );
}

/** Adds the flags that say why a package is locked. They differ between the two files. */
function withFlags(entry, flags) {
  const about = Object.entries(entry).filter(([key]) => !FLAGS.has(key));
  return { version: entry.version, ...flags, ...Object.fromEntries(about) };
}

/** Returns the places of packages and of all their dependencies. */
function closure(packages, names, { optional }) {
  const found = new Set();
  const add = (name, from, mayLack) => {
    const path = placeOf(packages, name, from);
    if (path === undefined && !mayLack)
      throw new Error(`package-lock.json lacks ${name} for ${from}.`);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const entry = packages[path];
    for (const needed of Object.keys(requiredBy(entry))) {
      if (!(needed in (entry.optionalDependencies ?? {}))) add(needed, path, false);
    }
    if (!optional) return;
    for (const needed of Object.keys(entry.optionalDependencies ?? {})) add(needed, path, true);
  };
  for (const name of names) add(name, '', false);
  return found;
}

/** Returns the place where Node.js finds a package that another package imports. */
function placeOf(packages, name, from) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('/node_modules/'))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
    if (!folder.includes('/node_modules/')) break;
  }
  return packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
}

function sorted(entries) {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}
