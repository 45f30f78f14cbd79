// Node.js of other versions, from npm, kept in matrix/.cache.
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './child.mjs';

/** The path of the binary: the running one for its own version. */
export async function nodeOf(version) {
  if (version === process.versions.node) return process.execPath;
  const folder = join(import.meta.dirname, '.cache', `node-${version}`);
  const node = join(folder, 'node_modules/node/bin/node');
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', `node@${version}`];
  await run('npm', args, { cwd: folder, log: join(folder, 'install.log'), seconds: 300 });
  return node;
}
