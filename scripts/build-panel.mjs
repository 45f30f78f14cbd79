// Builds the page of @fledge/panel into libs/panel/dist/ui, unless it is newer than its sources.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'vite';

const SOURCES = ['libs/panel/ui', 'libs/panel/src/panel.api.ts', 'scripts/build-panel.mjs'];
const PAGE = 'libs/panel/dist/ui/index.html';

const built = await timeOf(PAGE);
const newest = Math.max(...(await Promise.all(SOURCES.map(newestIn))));
if (newest > built) await build({ configFile: 'libs/panel/ui/vite.config.ts' });

async function newestIn(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const files = await readdir(path, { recursive: true });
  return Math.max(...(await Promise.all(files.map((file) => timeOf(join(path, file))))));
}

async function timeOf(path) {
  return (await stat(path).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
}
