import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { brokenClientRules } from '../../../test/support/client-rules.js';
import { until } from '../../../test/support/until.js';
import { freePort, type Running, start } from '../../../test/support/processes.js';

const running: Running[] = [];

/** The source of an example. */
export function sourceOf(name: string): string {
  return readFileSync(new URL(`../src/${name}.ts`, import.meta.url), 'utf8');
}

/** The built file of an example. */
export function fileOf(name: string): string {
  return fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
}

/** Runs an example in a process, as its reader would, and waits until it has started. */
export function run(name: string, env: Record<string, string> = {}): Promise<string> {
  return runFile(fileOf(name), env);
}

/** Runs a built file as `run` does. */
export async function runFile(file: string, env: Record<string, string> = {}): Promise<string> {
  const port = await freePort();
  const server = start(process.execPath, [file], { PORT: String(port), ...env });
  running.push(server);
  // A worker does not listen, and what waits for it stands in Redis.
  if (env['ROLE'] === 'worker') return '';
  await server.until(/successfully started/);
  // Nest logs this just before the server listens.
  const url = `http://127.0.0.1:${port}`;
  const answers = () => fetch(url).then(Boolean, () => false);
  await until(answers, `${file} listens at ${url}:\n${server.output()}`);
  return url;
}

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map((server) => server.stop()));
}

/** Connects the official client to an example. Checks that clients accept what it lists. */
export async function connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'examples', version: '1.0.0' });
  const at = new URL(`${url}/_mcp/messages`);
  await client.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }));
  const { tools } = await client.listTools({ _meta: { 'fledge/everyTool': true } });
  expect(brokenClientRules(tools)).toEqual([]);
  return client;
}

/** The JSON in the one text block of a result. */
export async function answerOf(client: Client, name: string, args: object): Promise<unknown> {
  const { content } = await client.callTool({ name, arguments: { ...args } });
  return JSON.parse((content as { text: string }[])[0]?.text ?? '');
}
