// Joins the compiled modules of each lib into one file per entry point. Code that several entry
// points use goes into shared files. Node then loads a few files instead of several hundred.
// Loading those took a third of the CPU time that a package adds to the startup of an application.
// Declarations are not joined.
//
// `nest add` runs a schematic of the package that it adds. All these schematics use the code in
// libs/cli/src/add. Each package gets its own copy, joined, in dist/schematics.
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { listEntries } from './entries.mjs';
import { readJson } from './packages.mjs';

const LIBS = ['core', 'query', 'mcp', 'tenant', 'graphql', 'panel'];

/** The packages that support `nest add`. */
const ADDED = ['mcp', 'tenant', 'query', 'graphql', 'panel'];

await Promise.all(LIBS.map((lib) => bundle(join('libs', lib))));
await Promise.all(ADDED.map(addSchematic));

async function bundle(lib) {
  const compiled = join(lib, 'dist/.modules');
  const dist = join(lib, 'dist');
  const output = await joined({
    input: entriesOf(lib, compiled),
    // Keeps modules that have side effects when they are loaded, such as the checks of core.
    treeshake: false,
  });
  const files = new Map(output.map(({ fileName, code }) => [join(dist, fileName), code]));
  await Promise.all([...files].map(([path, code]) => write(path, code)));
  await removeOthers(dist, files);
  await containInternalTypes(dist);
  await addCommonJsTypes(lib);
  await excludeHiddenTypes(lib, dist);
}

/**
 * Copies the types of internal/ packages into each lib that uses them, because users do not have
 * these packages.
 */
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
    // Types that an earlier build copied are copied again, because they may have changed.
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

/**
 * Copies the declarations of entry points that have `require.types`. Their ORMs have two
 * declarations, whose classes are incompatible. TypeScript reads the ORM's declarations for
 * CommonJS only from a `.d.cts` file. Imports of other folders stay as they are, so every type of
 * ours exists once.
 */
async function addCommonJsTypes(lib) {
  const { exports } = readJson(join(lib, 'package.json'));
  const entries = Object.values(exports).flatMap(({ require, types }) => (require ? [types] : []));
  const local = /(?<=['"])(\.\/[^'"]+)\.js(?=['"])/g;
  for (const [path, types] of await readTypes(lib, entries, local)) {
    await write(path.replace('.d.ts', '.d.cts'), types.replaceAll(local, '$1.cjs'));
  }
}

/**
 * Excludes the declarations that no entry point needs from the published package. They stay in
 * `dist`, because tsc writes a declaration again only if its source has changed.
 */
async function excludeHiddenTypes(lib, dist) {
  const { exports } = readJson(join(lib, 'package.json'));
  const entries = Object.values(exports).flatMap(({ types }) => types ?? []);
  const needed = await readTypes(lib, entries, /['"](\.\.?\/[^'"]+)\.js['"]/g);
  const names = await readdir(dist, { recursive: true });
  const hidden = names.filter((name) => name.endsWith('.d.ts') && !needed.has(join(dist, name)));
  const lines = hidden.toSorted().map((name) => `/${name}\n`);
  await write(join(dist, '.npmignore'), lines.join(''));
}

/**
 * Returns the text of declarations, and of all declarations that they import, by path.
 * @param imported matches the imports to follow
 */
async function readTypes(lib, entries, imported) {
  const found = new Map();
  const add = async (path) => {
    if (found.has(path)) return;
    // Set before the file is read, because declarations can import each other.
    found.set(path, undefined);
    const types = await readFile(path, 'utf8');
    found.set(path, types);
    const imports = [...types.matchAll(imported)];
    await Promise.all(imports.map(([, to]) => add(join(dirname(path), `${to}.d.ts`))));
  };
  await Promise.all(entries.map((types) => add(join(lib, types))));
  return found;
}

/** Adds the collection that `schematics` in package.json names, and the code of the schematic. */
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
    // All other imports are packages. Relative imports, resolved or not, are modules of the lib.
    // Packages in internal/ are not published, so each lib contains a copy of them.
    external: (id) => !/^(\.|@fledge-internal\/)/.test(id) && !isAbsolute(id),
    platform: 'neutral',
  });
  const { output } = await bundled.generate({
    format: 'esm',
    chunkFileNames: chunkNameOf,
    // The declarations contain the same comments.
    comments: { jsdoc: false },
  });
  return output;
}

/**
 * Returns the file name of a chunk. A package in internal/ that several entry points use is placed
 * next to its types.
 */
function chunkNameOf({ moduleIds }) {
  const [, internal] = /\/internal\/([\w-]+)\/dist\/\.modules\//.exec(moduleIds.at(-1)) ?? [];
  return internal === undefined ? '[name].js' : `internal/${internal}/index.js`;
}

/** Returns the paths of compiled modules by their entry point. */
function entriesOf(lib, compiled) {
  const entries = listEntries({ folder: lib, manifest: readJson(join(lib, 'package.json')) });
  return Object.fromEntries(
    entries.map(({ place }) => [place, `./${join(compiled, `${place}.js`)}`]),
  );
}

/** Writes a file only if its content changes, because another process may be reading it. */
async function write(path, code) {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present === code) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code);
}

/** Removes files of an earlier build. */
async function removeOthers(dist, files) {
  const found = await readdir(dist, { recursive: true });
  const scripts = found.filter(
    (path) => path.endsWith('.js') && !/^(\.modules|schematics|explorer|ui)\//.test(path),
  );
  const old = scripts.map((path) => join(dist, path)).filter((path) => !files.has(path));
  await Promise.all(old.map((path) => rm(path)));
}
