// node dist/main.js [seconds per round] [rounds]
import { ENVELOPE, MCP_HEADERS, openSessions, STATELESS_HEADERS } from './mcp-sessions.js';
import { type Row, tableOf } from './table.js';
import { type Measurement, measure, Server, type Target } from './target.js';

const seconds = Number(process.argv[2] ?? 4);
const rounds = Number(process.argv[3] ?? 3);

const task = { title: 'Write the benchmark', priority: 'high', dueDate: '2026-12-01' };
const expected = '"status';
const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'tasks_create', arguments: task },
});

for (const platform of ['express', 'fastify']) {
  const bare = await Server.start('app', platform, 'bare');
  const guarded = await Server.start('app', platform, 'guarded');
  const sdk = await Server.start('bare-sdk');
  const targets = [
    direct('direct HTTP call of the route', bare),
    await tool('the route as a tool, 2025-11-25', bare, '/_mcp/messages'),
    statelessTool('the route as a tool, 2026-07-28', bare),
    await tool('the route through a loopback fetch', bare, '/loopback'),
    direct('direct, behind CORS and helmet', guarded),
    await tool('as a tool, behind CORS and helmet', guarded, '/_mcp/messages'),
    await tool('SDK v1 alone, trivial tool', sdk, '/'),
  ];
  console.log(`${tableOf(platform, await alternate(targets))}\n`);
  for (const server of [bare, guarded, sdk]) server.stop();
}

function direct(name: string, server: Server): Target {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer bench' };
  return { name, server, path: '/tasks', body: JSON.stringify(task), headers, expect: expected };
}

async function tool(name: string, server: Server, path: string): Promise<Target> {
  const sessions = await openSessions(server, path, 10);
  return { name, server, path, body: call, headers: MCP_HEADERS, expect: expected, sessions };
}

function statelessTool(name: string, server: Server): Target {
  const params = { name: 'tasks_create', arguments: task, _meta: ENVELOPE };
  return {
    name,
    server,
    path: '/_mcp/messages',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    headers: { ...STATELESS_HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'tasks_create' },
    expect: expected,
  };
}

/** Measures each target in turn, round after round, so that a busy moment hits none alone. */
async function alternate(targets: readonly Target[]): Promise<Row[]> {
  const measured = new Map<Target, Measurement[]>(targets.map((target) => [target, []]));
  for (const target of targets) await measure(target, Math.min(seconds, 2));
  for (let round = 0; round < rounds; round++) {
    for (const target of targets) measured.get(target)?.push(await measure(target, seconds));
  }
  return targets.map((target) => ({ name: target.name, rounds: measured.get(target) ?? [] }));
}
