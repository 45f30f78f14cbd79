// The end of a process over stdio, with the built packages.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';

const APP = fileURLToPath(new URL('../stdio-end/app.mjs', import.meta.url));
const CLI = fileURLToPath(new URL('../../libs/cli/dist/main.js', import.meta.url));

const COMMANDS = [
  { name: 'node', args: [APP] },
  { name: 'fledge mcp start', args: [CLI, 'mcp', 'start', '--entry', APP] },
];

const clientInfo = { name: 'spec', version: '1.0.0' };
const MESSAGES = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } },
  { id: 2, method: 'tools/call', params: { name: 'slow', arguments: {} } },
];

describe.each(COMMANDS)('$name', ({ args }) => {
  let folder: string;
  let child: ChildProcess;
  const notes = () => readFileSync(join(folder, 'notes'), { encoding: 'utf8', flag: 'a+' });
  const send = (messages: readonly object[]) =>
    messages.forEach((each) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...each })}\n`),
    );

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stdio-end-'));
    child = spawn(process.execPath, args, {
      env: { ...process.env, NOTES: join(folder, 'notes'), FLEDGE_MCP_STDIO: '1' },
      stdio: 'pipe',
    });
  });
  afterEach(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  it('runs shutdown hooks when stdin ends', async () => {
    child.stderr?.resume();
    send(MESSAGES.slice(0, 1));
    await once(child.stdout!, 'data');
    child.stdin?.end();
    await once(child, 'exit');
    expect(notes()).toBe('destroyed\n');
  });

  it('finishes running calls and runs shutdown hooks when its client is killed', async () => {
    send(MESSAGES);
    await until(() => notes() === 'begun\nbegun\n', 'both calls run');
    for (const stream of child.stdio) stream?.destroy();
    await until(() => notes().includes('destroyed'), 'the hooks have run');
    expect(notes()).toBe('begun\nbegun\ndone\ndone\ndestroyed\n');
  });
});
