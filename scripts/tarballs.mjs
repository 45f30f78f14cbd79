// `npm run tarballs`: builds the packages, packs them into tarballs/, and prints the commands that
// install them in an application. README.md says which packages to start with.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pack, packages } from './packages.mjs';

const folder = resolve('tarballs');
/** Packages that every NestJS application has. */
const OF_NEST = /^(@nestjs\/.*|reflect-metadata|rxjs)$/;

/**
 * Returns the packages in `names` and their dependencies. A package comes after its dependencies.
 */
function withDependencies(names, packed) {
  const needed = new Set(names);
  for (const { manifest } of packed.toReversed()) {
    if (!needed.has(manifest.name)) continue;
    for (const name of Object.keys(manifest.dependencies ?? {})) needed.add(name);
  }
  return packed.filter(({ manifest }) => needed.has(manifest.name));
}

/** Returns the peer dependencies that npm requires but an application may lack. */
function peersOf({ peerDependencies = {}, peerDependenciesMeta = {} }) {
  return Object.keys(peerDependencies).filter(
    (name) => !OF_NEST.test(name) && !peerDependenciesMeta[name]?.optional,
  );
}

function installWords(readme, packed) {
  const names = new Set(packed.map(({ manifest }) => manifest.name));
  const lines = readme.split('\n').filter((line) => line.startsWith('npm install '));
  const found = lines
    .map((line) => line.replace(/\s+#.*$/, '').split(' '))
    .find((words) => words.some((word) => names.has(word)));
  if (found === undefined) throw new Error('README.md has no line that installs a package.');
  return found.slice(2);
}

function commandOf(packed, others) {
  const tarballs = packed.map(({ tarball }) => (/\s/.test(tarball) ? `"${tarball}"` : tarball));
  return ['  npm install', ...tarballs, ...others].join(' ');
}

function instructions(packed) {
  const words = installWords(readFileSync('README.md', 'utf8'), packed);
  const first = withDependencies(words, packed);
  const others = words.filter((word) => !packed.some(({ manifest }) => manifest.name === word));
  const rest = packed
    .filter((each) => !first.includes(each))
    .map((each) =>
      commandOf(
        [each],
        peersOf(each.manifest).filter((name) => !words.includes(name)),
      ),
    );
  return [
    `Packed into ${folder}. In the folder of your application, run this instead of the line in README.md:`,
    '',
    commandOf(first, others),
    ...(rest.length > 0 ? ['', 'Each of these then adds one more package:', '', ...rest] : []),
  ].join('\n');
}

execFileSync('npm', ['run', '--silent', 'build'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
console.log(instructions(packages().map((each) => ({ ...each, ...pack(each, folder) }))));
