// What both walks do at their end: the calls of official clients, the clock and its limit.
import assert from 'node:assert/strict';
import { delimiter, dirname } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { run } from './child.mjs';
import { nodeOf } from './nodes.mjs';

/** The Inspector that is called. It needs Node.js 22.19. */
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0';

/** For a busy machine too: npm takes most of it. */
const MOST_SECONDS = 300;

/** Prints what is done, and how long it took. */
export async function timed(what, work) {
  const started = Date.now();
  console.log(`        $ ${what}`);
  const result = await work();
  console.log(`          ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

/** Prints the seconds of a walk. Throws if they are too many. */
export function mustBeShort(seconds) {
  console.log(`        ${Math.round(seconds)} s until the tool answers`);
  assert.ok(seconds < MOST_SECONDS, `It took ${seconds} s, ${MOST_SECONDS} are too many.`);
}

/** By `@modelcontextprotocol/client`. */
export async function callByClient({ name, arguments: args, answer }, url, headers) {
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
export async function callByInspector(
  { name, arguments: args, answer },
  url,
  headers,
  { folder, log },
) {
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
