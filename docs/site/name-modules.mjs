// Gives the modules of the API reference the names that applications import.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listEntries, listPackages } from '../../scripts/entries.mjs';
import { root } from './pages.mjs';

const api = join(root, 'docs/.pages/api');

const names = new Map(
  listPackages()
    .flatMap(listEntries)
    .map(({ name, source }) => [source.replace(/^libs\/|(\/index)?\.ts$/g, ''), name]),
);

/** `tenant/src/databases/rls` becomes `@fledge/tenant/rls`. */
function named(text) {
  return text.replace(
    /\b[a-z]+\/src(\/[a-z-]+)*(?![\w/.-])/g,
    (module) => names.get(module) ?? module,
  );
}

for (const file of readdirSync(api, { recursive: true }).filter((name) => name.endsWith('.md'))) {
  const path = join(api, file);
  const lines = readFileSync(path, 'utf8').split('\n');
  const heading = lines.findIndex((line) => line.startsWith('# '));
  lines[heading] = file === 'index.md' ? '# API' : named(lines[heading]);
  const text = lines.join('\n').replace(/\[([^\]]*)\]\(/g, (_, label) => `[${named(label)}](`);
  writeFileSync(path, text);
}

const links = [...readFileSync(join(api, 'index.md'), 'utf8').matchAll(/\[(.*?)\]\((.*?)\.md\)/g)];
const menu = links.map(([, text, page]) => ({ text, link: `/api/${page}` }));
writeFileSync(join(api, 'typedoc-sidebar.json'), JSON.stringify(menu));
