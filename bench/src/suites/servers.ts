import { atLeast, type Effort, type Goal } from '../goal.js';
import {
  CONNECTIONS,
  type Measurement,
  measureInTurn,
  ratioOf,
  rowOf,
  type Target,
} from '../load.js';
import { type McpMessage, sessionRequest, statelessRequest } from '../mcp-messages.js';
import { openSession, openSessions } from '../mcp-sessions.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { median, table } from '../table.js';
import { isResult, TASK, TOOL } from '../task.js';

const PARAMS = { name: TOOL, arguments: TASK };
const IN_SESSION = sessionRequest('tools/call', PARAMS);
const STATELESS = statelessRequest('tools/call', PARAMS);

const USERS = 50;
/** Starts of which the median is shown. */
const STARTS = 3;

/** A server, and how clients call its tool. */
interface Contender {
  readonly name: string;
  readonly start: readonly [file: string, ...args: string[]];
  readonly path: string;
  readonly message: McpMessage;
  /** False: calls need none. */
  readonly hasSessions: boolean;
}

const OURS = 'a Nest route as a tool, Fastify, 2025-11-25';

const CONTENDERS: readonly Contender[] = [
  inSessions(OURS, ['app', 'Fastify', 'bare'], '/_mcp/messages'),
  inSessions(
    'with direct, Fastify, 2025-11-25',
    ['app', 'Fastify', 'bare-direct'],
    '/_mcp/messages',
  ),
  {
    ...inSessions(
      'with direct, Fastify, 2026-07-28',
      ['app', 'Fastify', 'bare-direct'],
      '/_mcp/messages',
    ),
    message: STATELESS,
    hasSessions: false,
  },
  inSessions(
    'a Nest route as a tool, Express, 2025-11-25',
    ['app', 'Express', 'bare'],
    '/_mcp/messages',
  ),
  inSessions('@rekog/mcp-nest, Fastify', ['mcp-nest', 'Fastify', 'stateful'], '/mcp'),
  inSessions('the official SDK 1.x alone', ['bare-sdk'], '/'),
  {
    ...inSessions('the official SDK 2.x alone', ['sdk-2.mjs'], '/mcp'),
    hasSessions: false,
  },
  inSessions('tmcp', ['tmcp.mjs'], '/mcp'),
  inSessions('FastMCP', ['fastmcp.mjs'], '/mcp'),
  {
    ...inSessions('FastMCP, stateless', ['fastmcp.mjs', 'stateless'], '/mcp'),
    hasSessions: false,
  },
  { ...inSessions('xmcp', ['xmcp.mjs'], '/mcp'), hasSessions: false },
];

/** The same tool, served by others: its calls, the first response of a process, and the heap with 50 users. */
export async function servers(effort: Effort): Promise<Goal[]> {
  const starts = new Map<Contender, number>();
  for (const contender of CONTENDERS) starts.set(contender, await firstResponse(contender));

  const running = await Promise.all(
    CONTENDERS.map(
      async (contender) => [contender, await Server.start(...contender.start)] as const,
    ),
  );
  const targets = await Promise.all(
    running.map(async ([contender, server]) => targetOf(contender, server, CONNECTIONS)),
  );
  const rows = await measureInTurn(targets, effort);
  for (const [, server] of running) server.stop();

  const ours = rowOf(rows, OURS);
  const lines: (readonly string[])[] = [];
  for (const contender of CONTENDERS) {
    const row = rowOf(rows, contender.name);
    lines.push([
      contender.name,
      row.cpuMicros.toFixed(0),
      ratioOf(row, ours).toFixed(2),
      (starts.get(contender) ?? Number.NaN).toFixed(0),
      (await heapOfUsers(contender)).toFixed(1),
    ]);
  }
  const heading = ['One tool', '>CPU µs per call', '>calls of ours for one'];
  show(table([...heading, '>ms to the first response', `>MB of heap, ${USERS} users`], lines));
  return ['the official SDK 1.x alone', 'tmcp', 'FastMCP', 'xmcp'].map((name) =>
    atLeast(`${name}: our calls for one of its`, 1, ratioOf(rowOf(rows, name), ours)),
  );
}

function inSessions(name: string, start: Contender['start'], path: string): Contender {
  return { name, start, path, message: IN_SESSION, hasSessions: true };
}

/** @param users number of sessions to open, if the server keeps sessions */
async function targetOf(
  { name, path, message, hasSessions }: Contender,
  server: Server,
  users: number,
): Promise<Target> {
  const sessions = hasSessions ? await openSessions(server.url + path, users) : undefined;
  return { name, server, path, ...message, isRight: isResult, ...(sessions && { sessions }) };
}

/** Milliseconds from the start of a process to the response of its first call, a median. */
async function firstResponse(contender: Contender): Promise<number> {
  const measured: number[] = [];
  for (let i = 0; i < STARTS; i++) {
    const began = performance.now();
    const server = await Server.start(...contender.start);
    const { path, message, hasSessions } = contender;
    const session = hasSessions ? await openSession(server.url + path) : undefined;
    await call(server.url + path, message, session);
    measured.push(performance.now() - began);
    server.stop();
  }
  return median(measured);
}

/** Megabytes of heap after a collection, when each user has called the tool. */
async function heapOfUsers(contender: Contender): Promise<number> {
  const server = await Server.start(...contender.start);
  const { path, message, hasSessions } = contender;
  const users = hasSessions ? await openSessions(server.url + path, USERS) : [];
  for (let i = 0; i < USERS; i++) await call(server.url + path, message, users[i]);
  await server.collected();
  const { heap } = await server.collected();
  server.stop();
  return heap / 1_000_000;
}

async function call(url: string, message: McpMessage, session: string | undefined): Promise<void> {
  const headers = { ...message.headers, ...(session && { 'mcp-session-id': session }) };
  const response = await fetch(url, { method: 'POST', headers, body: message.body });
  const text = await response.text();
  if (!isResult(text)) throw new Error(`${url}: ${response.status} ${text}`);
}
