import { atLeast, atMost, type Effort, type Goal } from '../goal.js';
import {
  comparisonTable,
  CONNECTIONS,
  type Measurement,
  measureInTurn,
  ratioOf,
  rowOf,
  type Target,
} from '../load.js';
import { type McpMessage, sessionRequest, statelessRequest } from '../mcp-messages.js';
import { openSessions } from '../mcp-sessions.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { ANSWER, isResult, TASK, TOOL } from '../task.js';

const OURS = '/_mcp/messages';
const PARAMS = { name: TOOL, arguments: TASK };
const IN_SESSION = sessionRequest('tools/call', PARAMS);
const STATELESS = statelessRequest('tools/call', PARAMS);

/** What a call of the route as a tool, with `direct`, may cost of its HTTP call, and how often it beats mcp-nest. */
const LIMITS = { Express: { direct: 0.75, others: 3 }, Fastify: { direct: 1.6, others: 3 } };
type Platform = keyof typeof LIMITS;

/** Calls of one route, over HTTP and as a tool, beside the same tool elsewhere. */
export async function calls(effort: Effort): Promise<Goal[]> {
  return [...(await callsOn('Express', effort)), ...(await callsOn('Fastify', effort))];
}

async function callsOn(platform: Platform, effort: Effort): Promise<Goal[]> {
  const bare = await Server.start('app', platform, 'bare');
  const guarded = await Server.start('app', platform, 'guarded');
  const bareDirect = await Server.start('app', platform, 'bare-direct');
  const guardedDirect = await Server.start('app', platform, 'guarded-direct');
  const looped = await Server.start('app', platform, 'bare');
  const sdk = await Server.start('bare-sdk');
  const nest = await Server.start('mcp-nest', platform, 'stateless');
  const stateful = await Server.start('mcp-nest', platform, 'stateful');

  const base = http('HTTP call of the route', bare);
  const guardedBase = http('HTTP call, behind CORS and helmet', guarded);
  const inSession = await session('direct, as a tool, 2025-11-25', bareDirect, OURS);
  const stateless = tool('direct, as a tool, 2026-07-28', bareDirect, OURS, STATELESS);
  const guardedSession = await session(
    'direct, behind CORS and helmet, 2025-11-25',
    guardedDirect,
    OURS,
  );
  const guardedStateless = tool(
    'direct, behind CORS and helmet, 2026-07-28',
    guardedDirect,
    OURS,
    STATELESS,
  );
  const legacyOthers = [
    tool('@rekog/mcp-nest, stateless, 2025-11-25', nest, '/mcp', IN_SESSION),
    await session('@rekog/mcp-nest, stateful, 2025-11-25', stateful, '/mcp'),
  ];
  const modernOthers = tool('@rekog/mcp-nest, 2026-07-28', nest, '/mcp', STATELESS);
  const rows = await measureInTurn(
    [
      base,
      inSession,
      stateless,
      ...legacyOthers,
      modernOthers,
      await session('the route through a loopback fetch', looped, '/loopback'),
      await session('SDK v1 alone, trivial tool', sdk, '/'),
      await session('the route as a tool, 2025-11-25', bare, OURS),
      tool('the route as a tool, 2026-07-28', bare, OURS, STATELESS),
      guardedBase,
      guardedSession,
      guardedStateless,
      await session('as a tool, behind CORS and helmet', guarded, OURS),
    ],
    effort,
  );
  const servers = [bare, guarded, bareDirect, guardedDirect, looped, sdk, nest, stateful];
  for (const server of servers) server.stop();

  const of = (target: Target) => rowOf(rows, target.name);
  print(platform, rows, of(base));
  const { direct: limit, others: least } = LIMITS[platform];
  const costOf = (ours: Target, call: Target): Goal =>
    atMost(`${platform}, ${ours.name}: CPU of the HTTP call`, limit, ratioOf(of(ours), of(call)));
  const goalsOf = (ours: Target, others: readonly Target[]): Goal[] => [
    costOf(ours, base),
    ...others.map((other) =>
      atLeast(
        `${platform}, ${other.name}: our calls for one of its`,
        least,
        ratioOf(of(other), of(ours)),
      ),
    ),
  ];
  return [
    ...goalsOf(inSession, legacyOthers),
    ...goalsOf(stateless, [modernOthers]),
    costOf(guardedSession, guardedBase),
    costOf(guardedStateless, guardedBase),
  ];
}

function http(name: string, server: Server): Target {
  return {
    name,
    server,
    path: '/tasks',
    body: JSON.stringify(TASK),
    headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
    isRight: (body) => body === ANSWER,
  };
}

function tool(name: string, server: Server, path: string, message: McpMessage): Target {
  return { name, server, path, ...message, isRight: isResult };
}

async function session(name: string, server: Server, path: string): Promise<Target> {
  const sessions = await openSessions(server.url + path, CONNECTIONS);
  return { ...tool(name, server, path, IN_SESSION), sessions };
}

function print(platform: Platform, rows: readonly Measurement[], base: Measurement): void {
  show(comparisonTable([platform, 'of the HTTP call'], rows, () => base));
}
