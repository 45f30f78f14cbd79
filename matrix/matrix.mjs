// The stages in their order. Child processes and the temporary folder go, also where a stage fails.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { endAll, run } from './child.mjs';
import { plansOf } from './plans.mjs';
import { startRegistry } from './registry.mjs';
import { failuresOf, tableOf } from './report.mjs';

const root = dirname(import.meta.dirname);
/** What applications wrote. Kept after the run, for those who look for the cause of a failure. */
const output = join(import.meta.dirname, '.output');

/** Runs what the arguments name, prints the table and returns the exit code. */
export async function matrix(args) {
  const plans = plansOf(args);
  const folder = await mkdtemp(join(tmpdir(), 'fledge-matrix-'));
  const stop = new AbortController();
  const clear = async () => {
    await endAll();
    await remove(folder);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      console.error(`Stopped by ${signal}.`);
      stop.abort();
      void clear().finally(() => process.exit(1));
    });
  }
  let registry;
  try {
    await remove(output);
    await mkdir(output, { recursive: true });
    const log = join(output, 'registry.log');
    await run('npm', ['run', '--silent', 'build'], { cwd: root, log, seconds: 120 });
    registry = await startRegistry({ root, folder: join(folder, 'registry'), log });
    const results = [];
    for (const plan of plans)
      results.push(...(await outcomeOf(plan, { folder, registry, stop: stop.signal })));
    console.log(`\n${tableOf(results)}`);
    return results.some(({ failures }) => failures.length > 0) ? 1 : 0;
  } finally {
    await registry?.close();
    await clear();
  }
}

/** Runs one plan in its folder. Prints each result at once; after `stop` it prints no more. */
async function outcomeOf(plan, { folder, registry, stop }) {
  const place = join(folder, plan.name);
  const log = join(output, `${plan.name}.log`);
  await mkdir(place);
  const started = Date.now();
  const results = [];
  for await (const result of plan.results({ folder: place, registry, log })) {
    stop.throwIfAborted();
    results.push({ plan: plan.name, ...result });
    console.log(failuresOf(results.at(-1), log));
  }
  console.log(`        ${plan.name} took ${Math.round((Date.now() - started) / 1000)} s`);
  await remove(place);
  return results;
}

const remove = (path) => rm(path, { recursive: true, force: true, maxRetries: 5 });
