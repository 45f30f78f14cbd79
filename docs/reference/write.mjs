// Writes libs/*/docs/options.md, errors.md and further pages of options. With --check it writes nothing and fails if a page is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formatText } from '../../scripts/format.mjs';
import { declarationsOf } from './declarations.mjs';
import { errorsPage } from './errors-page.mjs';
import { optionsPage } from './options-page.mjs';
import { packages } from './sources.mjs';

const root = join(import.meta.dirname, '../..');
const isCheck = process.argv.includes('--check');
const stale = [];

for (const [name, { options, files, errors, pages = [] }] of Object.entries(packages)) {
  const paths = (list) => list.map((file) => join(root, 'libs', name, 'src', file));
  const title = `@fledge/${name}`;
  await keep(name, 'errors.md', errorsPage(title, declarationsOf(paths(errors))));
  if (options.length > 0) {
    await keep(name, 'options.md', optionsPage(title, options, declarationsOf(paths(files))));
  }
  for (const { page, about, ...part } of pages) {
    const declarations = declarationsOf(paths(part.files));
    await keep(name, page, optionsPage(`${title} for ${about}`, part.options, declarations));
  }
}
if (stale.length > 0) {
  console.error(`Run npm run docs -- --reference. Stale: ${stale.join(', ')}`);
  process.exitCode = 1;
}

async function keep(name, page, markdown) {
  const file = join(root, 'libs', name, 'docs', page);
  const text = await formatText(file, markdown);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) stale.push(relative(root, file));
  else writeFileSync(file, text);
}
