import { request } from 'undici';
import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { statelessRequest } from '../mcp-messages.js';
import { Server } from '../server.js';
import { table } from '../table.js';
import { ANSWER, QUOTED_ANSWER, TASK, TOOL } from '../task.js';

const CALL = statelessRequest('tools/call', { name: TOOL, arguments: TASK });

/** Most of a request with the page closed that one may cost while the page shows calls as they come. */
const OPEN_LIMIT = 1.03;

/** Tool calls and requests of the application without the panel, with it, and with its page open. */
export async function panel(effort: Effort): Promise<Goal[]> {
  const bare = await Server.start('app', 'Express', 'bare');
  const closed = await Server.start('app', 'Express', 'panel');
  const open = await Server.start('app', 'Express', 'panel');
  const read = await readStream(open);
  const servers = { 'no panel': bare, 'page closed': closed, 'page open': open };
  const targets = Object.entries(servers).flatMap(([name, server]) => [
    { name: `tool call, ${name}`, server, path: '/_mcp/messages', ...CALL, isRight: isResult },
    { name: `route, ${name}`, server, ...ROUTE },
  ]);
  const rows = await measureInTurn(targets, effort);
  if (read() === 0) throw new Error('The stream of calls sent nothing');
  for (const server of Object.values(servers)) server.stop();
  const [call, route, callClosed, routeClosed, callOpen, routeOpen] = rows as [
    Measurement,
    Measurement,
    Measurement,
    Measurement,
    Measurement,
    Measurement,
  ];
  console.log(
    table(
      ['Express, 2026-07-28', '>CPU µs per request', '>of no panel'],
      rows.map((row, i) => [
        row.target.name,
        row.cpuMicros.toFixed(0),
        ratioOf(row, i % 2 === 0 ? call : route).toFixed(3),
      ]),
    ),
  );
  return [
    atMost(
      'Panel: a tool call with the page open: of closed',
      OPEN_LIMIT,
      ratioOf(callOpen, callClosed),
    ),
    atMost(
      'Panel: a route with the page open: of closed',
      OPEN_LIMIT,
      ratioOf(routeOpen, routeClosed),
    ),
  ];
}

const ROUTE = {
  path: '/tasks',
  body: JSON.stringify(TASK),
  headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
  isRight: (body: string) => body === ANSWER,
} satisfies Partial<Target>;

function isResult(body: string): boolean {
  return body.includes(QUOTED_ANSWER) && !body.includes('"isError":true');
}

/** Reads the stream as a page does. Returns a function that counts the bytes so far. */
async function readStream({ url }: Server): Promise<() => number> {
  const { statusCode, body } = await request(`${url}/_fledge/api/calls/stream`);
  if (statusCode !== 200) throw new Error(`The stream of calls answered ${statusCode}`);
  let bytes = 0;
  body.on('data', (chunk: Buffer) => (bytes += chunk.length));
  // The server is stopped while it is read.
  body.on('error', () => undefined);
  return () => bytes;
}
