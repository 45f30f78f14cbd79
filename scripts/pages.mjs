// The pages that packages serve: of @fledge/panel in libs/panel/dist/ui, of @fledge/graphql in libs/graphql/dist/explorer.
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
 * Builds the pages. A page that is newer than its sources stays.
 * @param vite the module
 * @param config of all pages, beside the configuration that each has
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
