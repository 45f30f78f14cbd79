// Takes a walk of walk-steps.mjs as a newcomer does, and prints what was typed, what was written and how long each took.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { generate } from './application.mjs';
import { run } from './child.mjs';
import { nodeOf } from './nodes.mjs';
import { withServer } from './serve.mjs';
import { INSPECTOR, linesOf } from './walk-steps.mjs';

const MOST_LINES = 20;
const MOST_SECONDS = 180;

/** Works in an application that has the registry's address, as if our packages were published. */
export async function takeWalk(walk, place) {
  const started = Date.now();
  const existing = walk.existing && (await existingApplication(walk, place));
  const began = Date.now();
  const app = existing ?? join(place.folder, 'tasks');
  let printed = '';
  for (const step of walk.steps) {
    if (step.command) printed += await timed(step.command, () => type(step, app, place));
    else await writeLines(step, app, printed);
  }
  await withServer(app, place.log, async (url) => {
    const headers = await walk.headers(url);
    await timed('(the official MCP client)', () => callByClient(walk.call, url, headers));
    await timed('(the MCP Inspector)', () => callByInspector(walk.call, url, headers, place));
    if (walk.existing) await checkOthers(url, headers);
  });
  const lines = linesOf(walk).length;
  const seconds = Math.round((Date.now() - began) / 1000);
  const before = existing
    ? `, after ${Math.round((began - started) / 1000)} s for the application`
    : '';
  console.log(`        ${lines} lines by hand, ${seconds} s${before}`);
  assert.ok(lines < MOST_LINES, `${lines} lines were written by hand; ${MOST_LINES} are too many.`);
  assert.ok(seconds < MOST_SECONDS, `It took ${seconds} s, ${MOST_SECONDS} are too many.`);
}

/** Nest 11, CommonJS, TypeORM and JWT, before Fledge. */
async function existingApplication({ existing }, { folder, registry, log }) {
  const app = await generate({ nest: 11, modules: 'cjs' }, folder, log);
  await cp(join(import.meta.dirname, 'existing'), app, { recursive: true });
  await writeFile(join(app, '.npmrc'), registry.npmrc);
  const args = ['install', '--no-audit', '--no-fund', '--loglevel', 'error', ...existing];
  await run('npm', args, { cwd: app, log, seconds: 300 });
  return app;
}

async function type({ command, answers = [] }, app, { folder, registry, log }) {
  const isNew = command.includes(' new ');
  if (isNew) await mkdir(folder, { recursive: true });
  const [program, ...args] = [...command.split(' '), ...answers];
  const cwd = isNew ? folder : app;
  const output = await run(program, args, {
    cwd,
    env: { npm_config_yes: 'true' },
    log,
    seconds: 300,
  });
  if (isNew) await writeFile(join(app, '.npmrc'), registry.npmrc);
  return output;
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

async function timed(what, work) {
  const started = Date.now();
  console.log(`        $ ${what}`);
  const result = await work();
  console.log(`          ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

async function callByClient({ name, arguments: args, answer }, url, headers) {
  const client = new Client({ name: 'walk', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL('/_mcp/messages', url), {
    requestInit: { headers },
  });
  await client.connect(transport);
  const { content } = await client.callTool({ name, arguments: args });
  assert.match(content[0].text, answer);
  await client.close();
}

/** `npx @modelcontextprotocol/inspector --cli`, on a Node.js that runs it. */
async function callByInspector({ name, arguments: args, answer }, url, headers, { folder, log }) {
  const node = dirname(await nodeOf('22'));
  const options = [
    ...['--cli', `${url}/_mcp/messages`, '--transport', 'http'],
    ...['--method', 'tools/call', '--tool-name', name],
    ...Object.entries(args).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${JSON.stringify(value)}`,
    ]),
    ...Object.entries(headers).flatMap(([key, value]) => ['--header', `${key}: ${value}`]),
  ];
  const output = await run('npx', ['--yes', INSPECTOR, ...options], {
    cwd: folder,
    env: { PATH: [node, process.env.PATH].join(delimiter), NO_COLOR: '1' },
    log,
    seconds: 120,
  });
  const { content } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
  assert.match(content[0].text, answer);
}

/** The guard and the tenant stand before the list, as before: without token 401, for another company 403. */
async function checkOthers(url, headers) {
  const status = async (sent) => (await fetch(new URL('/tasks', url), { headers: sent })).status;
  assert.equal(await status({ 'x-tenant-id': 'acme' }), 401);
  assert.equal(await status({ ...headers, 'x-tenant-id': 'globex' }), 403);
  assert.equal(await status(headers), 200);
}
