// The packages in libs/, as npm would publish them.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Returns the folders of libs with their manifests. A package comes after its dependencies. */
export function packages() {
  const all = readPackages('libs');
  const ordered = [];
  const add = (found) => {
    if (ordered.includes(found)) return;
    const needs = Object.keys(found.manifest.dependencies ?? {});
    all.filter(({ manifest }) => needs.includes(manifest.name)).forEach(add);
    ordered.push(found);
  };
  all.forEach(add);
  return ordered;
}

/** Returns the folders in libs/ or internal/ with their manifests, by name. */
export function readPackages(parent) {
  return readdirSync(parent)
    .map((lib) => ({ lib, folder: posix.join(parent, lib) }))
    .filter(({ folder }) => existsSync(join(folder, 'package.json')))
    .map((found) => ({ ...found, manifest: readJson(join(found.folder, 'package.json')) }));
}

/** Packs a package. Returns npm's description of the tarball, and the path of the tarball. */
export function pack({ folder }, destination) {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', destination], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  // npm prints a list. Since version 11, it prints an object by package name.
  const [about] = Object.values(JSON.parse(packed));
  return { ...about, tarball: join(destination, about.filename) };
}

/**
 * Checks a tarball with publint and are-the-types-wrong. If one of them finds a problem, prints it
 * and returns false.
 */
export function isSound(tarball) {
  const published = passes('publint', 'publint', 'run', tarball, '--strict');
  // CommonJS applications require() the single ESM build, so "CommonJS resolves to ESM" is
  // intended. So is "false CommonJS": some entry points have declarations for CommonJS, see
  // scripts/bundle.mjs.
  const options = ['--ignore-rules', 'cjs-resolves-to-esm', 'false-cjs', '--format', 'ascii'];
  return passes('@arethetypeswrong/cli', 'attw', tarball, ...options) && published;
}

/**
 * Runs a command of an installed package. Does not use npx, which takes longer to start than the
 * command itself.
 */
function passes(name, command, ...args) {
  const folder = join(root, 'node_modules', name);
  const { bin } = readJson(join(folder, 'package.json'));
  const program = join(folder, bin[command]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) console.error(stdout + stderr);
  return status === 0;
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
