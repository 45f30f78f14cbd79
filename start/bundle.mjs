// Builds without the compiler: pages with Vite, and programs with the libs that they import with Rolldown, straight from
// TypeScript. All packages are imported from here, because libs/ and apps/ have no packages after `npm start`.
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import * as vite from 'vite';
import { buildPages } from '../scripts/pages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifestFile = fileURLToPath(new URL('package.json', import.meta.url));
const { dependencies, devDependencies } = JSON.parse(readFileSync(manifestFile, 'utf8'));

/** Builds the pages of the panel and of GraphQL. */
export async function pages() {
  await buildPages(vite, { plugins: [packagesFromHere()] });
}

/**
 * Joins programs with the sources of the libs that they import.
 * @param input files below the root, by the names of the results
 */
export async function bundle(input, dir) {
  const joined = await rolldown({
    input: Object.fromEntries(
      Object.entries(input).map(([name, file]) => [name, join(root, file)]),
    ),
    tsconfig: join(root, 'tsconfig.json'),
    platform: 'node',
    external: isPackage,
    plugins: [filesBesideSources()],
    // Modules that act when they are loaded stay, such as the checks of core.
    treeshake: false,
  });
  const { output } = await joined.generate({ format: 'esm' });
  for (const name of output.flatMap(({ imports }) => imports)) {
    if (!output.some(({ fileName }) => fileName === name)) mustBeListed(name, dependencies);
  }
  await writeAll(dir, new Map(output.map(({ fileName, code }) => [fileName, code])));
}

/** Leaves equal files as they are: another process may be reading them. */
async function writeAll(dir, files) {
  await mkdir(dir, { recursive: true });
  for (const [name, code] of files) {
    const file = join(dir, name);
    if ((await readFile(file, 'utf8').catch(() => '')) !== code) await writeFile(file, code);
  }
  const old = (await readdir(dir)).filter((name) => name.endsWith('.js') && !files.has(name));
  await Promise.all(old.map((name) => rm(join(dir, name))));
}

/** Not a file, a module of a plugin, a lib, or what Rolldown brings along for decorators. */
function isPackage(id) {
  return !/^[.\0]|^@fledge(-internal)?\/|^@oxc-project\/runtime\//.test(id) && !isAbsolute(id);
}

/** Sources name files beside them by URLs, which stay those of the sources. */
function filesBesideSources() {
  return {
    name: 'files-beside-sources',
    transform: {
      filter: { code: 'import.meta.url' },
      handler: (code, id) =>
        code.replace(
          /(new URL\('[^']*', |HERE = )import\.meta\.url/g,
          (_, before) => before + JSON.stringify(pathToFileURL(id).href),
        ),
    },
  };
}

/** Pages import packages. They are found where this file finds them. */
function packagesFromHere() {
  return {
    name: 'packages-from-here',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!isPackage(source) || !importer || importer.includes('node_modules')) return null;
      mustBeListed(source, { ...dependencies, ...devDependencies });
      return this.resolve(source, manifestFile, { skipSelf: true });
    },
  };
}

/** Also where the packages of the repository are installed: `npm start` would fail where they are not. */
function mustBeListed(id, listed) {
  const name = /^(@[^/]+\/)?[^/]+/.exec(id)[0];
  if (isBuiltin(id) || name in listed) return;
  throw new Error(
    `${id} is imported, but start/package.json lacks ${name}. Add it, then run npm run lock.`,
  );
}
