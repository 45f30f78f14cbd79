import { setTimeout } from 'node:timers/promises';
import { atMost, type Goal } from '../goal.js';
import { openSessions } from '../mcp-sessions.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';

const SESSIONS = 1_000;
/** What is compiled and cached on first use belongs to no session. */
const WARM_UP = 200;

/** Heap of a session of revision 2025-11-25 that is open and idle. */
export async function memory(): Promise<Goal[]> {
  const ours = [
    {
      name: 'Express',
      kB: await heapPerSession(await Server.start('app', 'Express', 'bare'), OURS),
    },
    {
      name: 'Fastify',
      kB: await heapPerSession(await Server.start('app', 'Fastify', 'bare'), OURS),
    },
  ];
  const others = await Server.start('mcp-nest', 'Express', 'stateful');
  const rows = [
    ...ours,
    { name: '@rekog/mcp-nest, stateful, Express', kB: await heapPerSession(others, '/mcp') },
  ];
  show(
    table(
      [`${SESSIONS} idle sessions`, '>kB of heap each'],
      rows.map(({ name, kB }) => [name, kB.toFixed(1)]),
    ),
  );
  return ours.map(({ name, kB }) => atMost(`${name}: heap of an idle session`, 10, kB, ' kB'));
}

const OURS = '/_mcp/messages';

async function heapPerSession(server: Server, path: string): Promise<number> {
  await openSessions(server.url + path, WARM_UP);
  const before = await settledHeap(server);
  const ids = new Set(await openSessions(server.url + path, SESSIONS));
  const after = await settledHeap(server);
  server.stop();
  if (ids.size !== SESSIONS) throw new Error(`${ids.size} sessions are open, not ${SESSIONS}`);
  return (after - before) / SESSIONS / 1_000;
}

async function settledHeap(server: Server): Promise<number> {
  for (let i = 0; i < 4; i++) {
    await server.collected();
    await setTimeout(100);
  }
  return (await server.collected()).heap;
}
