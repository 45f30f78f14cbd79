// `npm run matrix`: publishes the libs to a local registry, builds the applications of
// scenarios.mjs and asks each what checks.mjs lists. Arguments: names of applications, or --cut.
import { existsSync, statSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const here = import.meta.dirname;
const installed = join(here, 'node_modules/.package-lock.json');
const lock = join(here, 'package-lock.json');
if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts'];
  const { status } = spawnSync('npm', args, {
    cwd: here,
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
  });
  if (status !== 0) process.exit(status ?? 1);
}
// What it imports is there only now.
const { matrix } = await import('./matrix.mjs');
process.exitCode = await matrix(process.argv.slice(2));
