// Runs tiers of tests: node scripts/test.mjs TIER ... [-- OPTIONS OF JEST]. The folder of a spec
// determines its tier: see scripts/tiers.mjs.
import { spawnSync } from 'node:child_process';
import { findAbsentServices } from './services.mjs';
import { TIERS } from './tiers.mjs';

const [names, options] = splitArguments(process.argv.slice(2));
const tiers = names.map((name) => {
  if (!TIERS[name]) throw new Error(`No tier "${name}". Tiers: ${Object.keys(TIERS).join(', ')}.`);
  return TIERS[name];
});

if (tiers.some(({ needsBuild }) => needsBuild)) run('npm', ['run', '--silent', 'build']);
const absent = tiers.some(({ needsServices }) => needsServices) ? await findAbsentServices() : [];
run(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--no-warnings',
    // Turns off V8's optimization of WebAssembly, which costs more time than it saves in tests.
    // libs/tenant/test/rls.spec.ts, with PostgreSQL in WebAssembly, takes 5.5 seconds of a core
    // instead of 7.4.
    '--liftoff-only',
    // V8 in Node.js 20 optimizes functions early. Tests run most code only a few times, so they are a
    // seventh faster if V8 optimizes later.
    ...(process.version.startsWith('v20.') ? ['--interrupt-budget=1000000'] : []),
    'node_modules/jest/bin/jest.js',
    '--selectProjects',
    ...names,
    // Ends the list of projects. Otherwise Jest would treat paths among the options as projects.
    '--config=jest.config.js',
    ...options,
  ],
  { ...process.env, FLEDGE_ABSENT_SERVICES: absent.join(',') },
);

/** npm appends everything after `--` to the command, so the names of tiers come first. */
function splitArguments(args) {
  const end = args.findIndex((arg) => arg === '--');
  return end < 0 ? [args, []] : [args.slice(0, end), args.slice(end + 1)];
}

function run(command, args, env = process.env) {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env,
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) process.exit(status ?? 1);
}
