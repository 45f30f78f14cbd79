// `npm run bench:compare -- ../previous . tenants queries`: measures suites in several checkouts, three times in
// turns, and prints what each checkout reached of the goals. Goals are ratios within one run, so a slow moment of the
// machine changes them little.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const TURNS = 3;
/** A row of the goals, which each run prints last. */
const GOAL = /^\| (.+) \| at (?:most|least) [^|]+ \| ([^|]+) \| (?:not )?met \|$/gm;

const words = process.argv.slice(2);
const isCheckout = (word) => existsSync(join(word, 'bench', 'run.mjs'));
const checkouts = words.filter(isCheckout);
const suites = words.filter((word) => !isCheckout(word));
if (checkouts.length < 2 || suites.length === 0) {
  console.error(
    `Found ${checkouts.length} checkouts and ${suites.length} suites in "${words.join(' ')}". Name at least two folders ` +
      'of checkouts and one suite: npm run bench:compare -- ../previous . tenants queries',
  );
  process.exit(1);
}

/** By goal and checkout: what each turn reached. */
const reached = new Map();
for (let turn = 1; turn <= TURNS; turn += 1) {
  for (const checkout of checkouts) {
    console.error(`${checkout}, turn ${turn} of ${TURNS}`);
    for (const [, goal, value] of measure(checkout).matchAll(GOAL)) {
      const all = reached.get(goal) ?? new Map(checkouts.map((each) => [each, []]));
      all.get(checkout).push(Number.parseFloat(value));
      reached.set(goal, all);
    }
  }
}
if (reached.size === 0) {
  console.error(`These suites have no goals: ${suites.join(' ')}. Compare their tables by hand.`);
  process.exit(1);
}
printRow(['Goal', ...checkouts]);
printRow(['---', ...checkouts.map(() => '--:')]);
for (const [goal, all] of reached)
  printRow([goal, ...[...all.values()].map((each) => each.join(', '))]);

function measure(checkout) {
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'bench', '--', ...suites], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  console.error(`npm run bench failed in ${checkout}:\n${stdout}`);
  process.exit(1);
}

function printRow(cells) {
  console.log(`| ${cells.join(' | ')} |`);
}
