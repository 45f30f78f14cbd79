// `npm run bench`: installs what only the benchmarks need, builds, measures.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { installIfNeeded } from '../scripts/install.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bench = fileURLToPath(new URL('.', import.meta.url));

function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

await installIfNeeded(bench);
// The other servers bring hundreds of packages, which no other benchmark needs.
const words = process.argv.slice(2);
const names = words.filter((word) => word !== '--write' && !(Number(word) > 0));
if (names.length === 0 || names.includes('servers')) await installIfNeeded(`${bench}others/`);
run('npm', ['run', '--silent', 'build'], root);
run('npx', ['tsc', '-p', bench], root);
run(process.execPath, [`${bench}dist/main.js`, ...words], root);
if (words.includes('--write')) run('npx', ['oxfmt', 'bench/README.md'], root);
