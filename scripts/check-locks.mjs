// Compares the lock files of the repository, so that tests use the same versions as everything
// else. start/ (npm start) must equal what the root implies. In the others, packages that the root
// has too must have the root's version. With --write, writes the files of start/; `npm run lock`
// does that.
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { startPackage } from './start-lock.mjs';

/** Folders with their own lock file, in addition to start/. */
const OTHERS = ['bench', 'docs', 'matrix', 'apps/conformance/suite'];

const faults = [];
const root = read('package-lock.json').packages;

for (const [file, text] of Object.entries(startPackage())) {
  if (process.argv.includes('--write')) writeFileSync(file, text);
  const [wanted, present] = [JSON.parse(text), read(file)];
  if (!isDeepStrictEqual(present, wanted)) {
    faults.push(`${file}: ${differenceOf(present, wanted)}. Run npm run lock.`);
  }
}
for (const folder of OTHERS) {
  const { packages } = read(`${folder}/package-lock.json`);
  const { dependencies = {}, devDependencies = {} } = packages[''];
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const [there, here] = [packages, root].map((all) => all[`node_modules/${name}`]?.version);
    if (here !== undefined && there !== here) {
      faults.push(`${folder} has ${name} ${there}, and the root ${here}.`);
    }
  }
}
if (faults.length > 0) {
  console.error(`Lock files differ.\n${faults.join('\n')}`);
  process.exit(1);
}

/**
 * Returns the first package that differs. If no package differs, returns the first field that does.
 */
function differenceOf(present, wanted) {
  const [left, right] = [present, wanted].map((value) => value.packages ?? value);
  const key = Object.keys({ ...right, ...left }).find(
    (one) => !isDeepStrictEqual(left[one], right[one]),
  );
  const said = (value) => value?.version ?? JSON.stringify(value) ?? 'nothing';
  return `${key || 'dependencies'} is ${said(left[key])}, but should be ${said(right[key])}`;
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
