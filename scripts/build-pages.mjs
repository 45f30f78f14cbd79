// Builds the pages that packages serve: of @fledge/panel into libs/panel/dist/ui, of @fledge/graphql into
// libs/graphql/dist/explorer. A page that is newer than its sources stays.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const PAGES = [
  {
    built: 'libs/panel/dist/ui/index.html',
    sources: ['libs/panel/ui', 'libs/panel/src/panel.api.ts'],
    config: 'libs/panel/ui/vite.config.ts',
  },
  {
    built: 'libs/graphql/dist/explorer/explorer.js',
    sources: ['libs/graphql/ui'],
    config: 'libs/graphql/ui/vite.config.ts',
  },
];

for (const { built, sources, config } of PAGES) {
  const newest = Math.max(...(await Promise.all([...sources, import.meta.filename].map(newestIn))));
  if (newest > (await timeOf(built))) await build({ configFile: config });
}

async function newestIn(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const files = await readdir(path, { recursive: true });
  return Math.max(...(await Promise.all(files.map((file) => timeOf(join(path, file))))));
}

async function timeOf(path) {
  return (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}
