// Adds the packages to an existing application by the steps of walk-steps.mjs, and prints what was typed, what was written
// and how long each took.
import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from './application.mjs';
import { run } from './child.mjs';
import { withServer } from './serve.mjs';
import { callByClient, callByInspector, mustBeShort, timed } from './walk-calls.mjs';
import { linesOf } from './walk-steps.mjs';

const MOST_LINES = 20;

/** Works in an application that has the registry's address, as if our packages were published. */
export async function takeWalk(walk, place) {
  const started = Date.now();
  const app = await existingApplication(walk, place);
  const began = Date.now();
  let printed = '';
  for (const step of walk.steps) {
    if (step.command) printed += await timed(step.command, () => type(step, app, place));
    else await writeLines(step, app, printed);
  }
  await withServer({ app, log: place.log }, async (url) => {
    const headers = await walk.headers(url);
    await timed('(the official MCP client)', () => callByClient(walk.call, url, headers));
    mustBeShort((Date.now() - began) / 1000);
    await timed('(the MCP Inspector)', () => callByInspector(walk.call, url, headers, place));
    await checkOthers(url, headers);
  });
  const lines = linesOf(walk).length;
  const before = Math.round((began - started) / 1000);
  console.log(`        ${lines} lines by hand, after ${before} s for the application`);
  assert.ok(lines < MOST_LINES, `${lines} lines were written by hand; ${MOST_LINES} are too many.`);
}

/** Nest 11, CommonJS, TypeORM and JWT, before Fledge. */
async function existingApplication({ packages }, { folder, registry, log }) {
  const app = await generate({ nest: 11, modules: 'cjs' }, folder, log);
  await cp(join(import.meta.dirname, 'existing'), app, { recursive: true });
  await writeFile(join(app, '.npmrc'), registry.npmrc);
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages];
  await run('npm', args, { cwd: app, log, seconds: 300 });
  return app;
}

function type({ command }, cwd, { log }) {
  const [program, ...args] = command.split(' ');
  return run(program, args, { cwd, env: { npm_config_yes: 'true' }, log, seconds: 300 });
}

/** @throws if no command has printed what the lines need */
async function writeLines({ file, before, instead, lines, printed: needed }, app, printed) {
  assert.ok(printed.includes(needed), `Nothing was printed that says ${needed}`);
  const path = join(app, file);
  const old = (await readFile(path, 'utf8')).split('\n');
  const first = old.findIndex((line) => line.includes(before ?? instead[0]));
  assert.ok(first >= 0, `${file} has no line with ${before ?? instead[0]}`);
  const removed = (instead ?? []).map((part, i) => {
    assert.ok(old[first + i].includes(part), `${file} has no line with ${part}`);
    return old[first + i];
  });
  await writeFile(path, old.toSpliced(first, removed.length, ...lines).join('\n'));
  console.log(`        ${file}`);
  for (const line of lines.filter((each) => !removed.includes(each)))
    console.log(`        + ${line}`);
}

/** The guard and the tenant stand before the list, as before: without token 401, for another company 403. */
async function checkOthers(url, headers) {
  const status = async (sent) => (await fetch(new URL('/tasks', url), { headers: sent })).status;
  assert.equal(await status({ 'x-tenant-id': 'acme' }), 401);
  assert.equal(await status({ ...headers, 'x-tenant-id': 'globex' }), 403);
  assert.equal(await status(headers), 200);
}
