// Writes libs/*/docs/options.md, errors.md and further pages of options, and architecture/files.md. With --check it writes nothing and fails if a page is stale.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { formatText } from '../format.mjs';
import { declarationsOf } from './declarations.mjs';
import { errorsPage } from './errors-page.mjs';
import { filesPage } from './files-page.mjs';
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
await keepFile(
  join(root, 'architecture/files.md'),
  filesPage(root, ['core', 'mcp', 'query', 'tenant', 'graphql', 'panel', 'cli']),
);
if (stale.length > 0) {
  console.error(`Run npm run docs -- --reference. Stale: ${stale.join(', ')}`);
  process.exitCode = 1;
}

function keep(name, page, markdown) {
  return keepFile(join(root, 'libs', name, 'docs', page), markdown);
}

async function keepFile(file, markdown) {
  const text = await formatText(file, markdown);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) return void stale.push(relative(root, file));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
