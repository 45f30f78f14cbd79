// node dist/main.js [calls | processes | lists | boot | weight | memory | queries | paging | relations | routes | tenants | messages | graphql | telemetry | panel | search | servers | summaries ...] [seconds per round] [rounds] [--write]
import { type Effort, type Goal, goalTable } from './goal.js';
import { takeShown } from './show.js';
import { boot } from './suites/boot.js';
import { calls } from './suites/calls.js';
import { graphql } from './suites/graphql.js';
import { lists } from './suites/lists.js';
import { memory } from './suites/memory.js';
import { messages } from './suites/messages.js';
import { paging } from './suites/paging.js';
import { panel } from './suites/panel.js';
import { processes } from './suites/processes.js';
import { queries } from './suites/queries.js';
import { relations } from './suites/relations.js';
import { routes } from './suites/routes.js';
import { search } from './suites/search.js';
import { servers } from './suites/servers.js';
import { summaries } from './suites/summaries.js';
import { telemetry } from './suites/telemetry.js';
import { tenants } from './suites/tenants.js';
import { weight } from './suites/weight.js';
import { describeRun, writeResults } from './write-results.js';

const SUITES: Readonly<Record<string, (effort: Effort) => Promise<Goal[]>>> = {
  calls,
  processes,
  lists,
  boot,
  weight,
  memory,
  queries,
  paging,
  relations,
  routes,
  tenants,
  messages,
  graphql,
  telemetry,
  panel,
  search,
  servers,
  summaries,
};

const words = process.argv.slice(2).filter((word) => word !== '--write');
const numbers = words.filter((word) => Number(word) > 0).map(Number);
const names = words.filter((word) => !(Number(word) > 0));
const unknown = names.find((name) => !(name in SUITES));
if (unknown !== undefined || numbers.length > 2) {
  console.error(
    `Not understood: ${unknown ?? words.join(' ')}. npm run bench -- [${Object.keys(SUITES).join(' | ')} ...] [seconds per round] [rounds] [--write]`,
  );
  process.exit(1);
}
const writes = process.argv.includes('--write');
if (writes && names.length > 0) {
  console.error('--write needs all suites: the page presents the results of one run.');
  process.exit(1);
}

// Many short rounds: a median of them passes over what the machine did besides.
const [seconds = 1, rounds = 7] = numbers;
const effort = { seconds, rounds };
const results = new Map([['run', describeRun(effort)]]);
const goals: Goal[] = [];
for (const [name, suite] of Object.entries(SUITES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  goals.push(...(await suite(effort)));
  results.set(name, takeShown());
}
if (goals.length > 0) console.log(goalTable(goals));
if (writes) writeResults(results.set('goals', goalTable(goals)));
