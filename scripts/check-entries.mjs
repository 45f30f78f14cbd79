// Compares `paths` in tsconfig.json and `typesVersions` of each package with the entry points. With
// --write, updates them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listEntries, listPackages } from './entries.mjs';
import { formatText } from './format.mjs';

const mustWrite = process.argv.includes('--write');
const packages = listPackages();

const paths = packages.flatMap(listEntries).map(({ name, source }) => [name, [`./${source}`]]);
await compare('tsconfig.json', (config) => {
  config.compilerOptions.paths = Object.fromEntries(paths);
});
for (const found of packages) {
  const types = listEntries(found)
    .filter(({ subpath }) => subpath !== '')
    .map(({ subpath, types }) => [subpath, [types]]);
  if (types.length === 0) continue;
  await compare(join(found.folder, 'package.json'), (manifest) => {
    manifest.typesVersions = { '*': Object.fromEntries(types) };
  });
}

/** @param change updates the content of the file to what it must be */
async function compare(file, change) {
  const text = readFileSync(file, 'utf8');
  const wanted = JSON.parse(text);
  change(wanted);
  if (isDeepStrictEqual(wanted, JSON.parse(text))) return;
  if (mustWrite) {
    writeFileSync(file, await formatText(file, JSON.stringify(wanted)));
    return;
  }
  console.error(`${file} does not have the entry points of "exports". Run: npm run entries`);
  process.exitCode = 1;
}
