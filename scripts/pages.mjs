// The pages that packages serve: libs/panel/dist/ui for @fledge/panel, libs/graphql/dist/explorer
// for @fledge/graphql.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const PAGES = [
  {
    built: 'libs/panel/dist/ui/index.html',
    sources: ['ui', 'libs/panel/ui', 'libs/panel/src/panel.api.ts'],
    config: 'libs/panel/ui/vite.config.ts',
  },
  {
    built: 'libs/graphql/dist/explorer/explorer.js',
    sources: ['ui', 'libs/graphql/ui'],
    config: 'libs/graphql/ui/vite.config.ts',
  },
];

/**
 * Builds the pages. Skips a page that is newer than its sources.
 * @param vite the imported module of Vite
 * @param config settings for all pages, in addition to the configuration of each page
 */
export async function buildPages(vite, config = {}) {
  for (const { built, sources, config: file } of PAGES) {
    const newest = Math.max(
      ...(await Promise.all(
        [...sources.map((path) => join(root, path)), import.meta.filename].map(newestIn),
      )),
    );
    if (newest <= (await timeOf(join(root, built)))) continue;
    await vite.build({ ...config, configFile: join(root, file) });
  }
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
