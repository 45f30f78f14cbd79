// `npm run bench`: installs what only the benchmarks need, builds, measures.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bench = fileURLToPath(new URL('.', import.meta.url));

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

const installed = `${bench}node_modules/.package-lock.json`;
if (
  !existsSync(installed) ||
  statSync(installed).mtimeMs < statSync(`${bench}package-lock.json`).mtimeMs
) {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], bench);
}
run('npm', ['run', '--silent', 'build'], root);
run('npx', ['tsc', '-p', bench], root);
run(process.execPath, [`${bench}dist/main.js`, ...process.argv.slice(2)], root);
