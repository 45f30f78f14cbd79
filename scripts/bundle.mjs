// Joins the compiled modules of each lib into one file per entry, with what entries share in files beside
// them. Node then loads a few files in place of some hundred, which took a third of the CPU time that a
// package adds to the boot of an application. Declarations stay one file for each module.
//
// `nest add` runs a schematic of the package that it adds. Those schematics share their code, in libs/cli/src/add:
// each package gets its own, joined, in dist/schematics.
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { listEntries } from './entries.mjs';
import { readJson } from './packages.mjs';

const LIBS = ['core', 'query', 'mcp', 'tenant', 'graphql', 'panel'];

/** The packages that `nest add` adds. */
const ADDED = ['mcp', 'tenant', 'query', 'graphql', 'panel'];

await Promise.all(LIBS.map((lib) => bundle(join('libs', lib))));
await Promise.all(ADDED.map(addSchematic));

async function bundle(lib) {
  const compiled = join(lib, 'dist/.modules');
  const dist = join(lib, 'dist');
  const output = await joined({
    input: entriesOf(lib, compiled),
    // Modules that act when they are loaded stay, such as the checks of core.
    treeshake: false,
  });
  const files = new Map(output.map(({ fileName, code }) => [join(dist, fileName), code]));
  await Promise.all([...files].map(([path, code]) => write(path, code)));
  await removeOthers(dist, files);
  await containInternalTypes(dist);
}

/** Declarations may name packages in internal/, which users do not have: each lib gets a copy of their types. */
async function containInternalTypes(dist) {
  const named = new Set();
  const names = await readdir(dist, { recursive: true });
  for (const name of names.filter((each) => each.endsWith('.d.ts'))) {
    const path = join(dist, name);
    const types = await readFile(path, 'utf8');
    const contained = types.replaceAll(
      /(['"])@fledge-internal\/([\w-]+)\1/g,
      (_, quote, internal) => {
        const copy = relative(dirname(path), join(dist, 'internal', internal, 'index.js'));
        return `${quote}${copy.startsWith('.') ? copy : `./${copy}`}${quote}`;
      },
    );
    if (contained !== types) await writeFile(path, contained);
    // Those of an earlier build, too: the types may have changed since.
    for (const [, internal] of contained.matchAll(/\/internal\/([\w-]+)\/index\.js['"]/g)) {
      named.add(internal);
    }
  }
  for (const internal of named) {
    await cp(join('internal', internal, 'dist'), join(dist, 'internal', internal), {
      recursive: true,
      filter: (source) => !/\.modules|\.tsbuildinfo/.test(source),
    });
  }
}

/** The collection that the `schematics` of package.json names, and the code behind it. */
async function addSchematic(lib) {
  const dist = join('libs', lib, 'dist/schematics');
  const output = await joined({ input: { 'nest-add': `./libs/cli/dist/add/${lib}.js` } });
  await Promise.all(output.map(({ fileName, code }) => write(join(dist, fileName), code)));
  const schema = lib === 'mcp' ? 'mcp-schema.json' : 'schema.json';
  await copyFile('libs/cli/schematics/collection.json', join(dist, 'collection.json'));
  await copyFile(join('libs/cli/schematics', schema), join(dist, 'schema.json'));
}

async function joined(options) {
  const bundled = await rolldown({
    ...options,
    // Relative imports, resolved or not, are the modules of the lib. Packages in internal/ are not published, so each lib
    // contains its own copy. All others are packages.
    external: (id) => !/^(\.|@fledge-internal\/)/.test(id) && !isAbsolute(id),
    platform: 'neutral',
  });
  const { output } = await bundled.generate({ format: 'esm', chunkFileNames: chunkNameOf });
  return output;
}

/** A package in internal/ that entries share stands beside its types. */
function chunkNameOf({ moduleIds }) {
  const [, internal] = /\/internal\/([\w-]+)\/dist\/\.modules\//.exec(moduleIds.at(-1)) ?? [];
  return internal === undefined ? '[name].js' : `internal/${internal}/index.js`;
}

/** Paths of compiled modules by the place of the entry point. */
function entriesOf(lib, compiled) {
  const entries = listEntries({ folder: lib, manifest: readJson(join(lib, 'package.json')) });
  return Object.fromEntries(
    entries.map(({ place }) => [place, `./${join(compiled, `${place}.js`)}`]),
  );
}

/** Leaves an equal file as it is: another process may be reading it. */
async function write(path, code) {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present === code) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
}

/** Removes what an earlier build left. */
async function removeOthers(dist, files) {
  const found = await readdir(dist, { recursive: true });
  const scripts = found.filter(
    (path) => path.endsWith('.js') && !/^(\.modules|schematics|explorer|ui)\//.test(path),
  );
  const old = scripts.map((path) => join(dist, path)).filter((path) => !files.has(path));
  await Promise.all(old.map((path) => rm(path)));
}
