import { request } from 'undici';
import { atMost, type Effort, type Goal } from '../goal.js';
import { type Measurement, measureInTurn, ratioOf, type Target } from '../load.js';
import { statelessRequest } from '../mcp-messages.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';
import { ANSWER, isResult, TASK, TOOL } from '../task.js';

const CALL = statelessRequest('tools/call', { name: TOOL, arguments: TASK });

/** Most of a request with the page closed that one may cost while the page shows calls as they come. */
const OPEN_LIMIT = 1.03;

/**
 * Tool calls and requests of the application without the panel, with it, and with its page open. One process serves
 * the page open and closed: two with the same code differ by more than the page costs.
 */
export async function panel(effort: Effort): Promise<Goal[]> {
  const bare = await Server.start('app', 'Express', 'bare');
  const paneled = await Server.start('app', 'Express', 'panel');
  const page = new Page(paneled.url);
  const setups = {
    'no panel': { server: bare },
    'page closed': { server: paneled },
    'page open': { server: paneled, beside: () => page.open() },
  };
  const targets = Object.entries(setups).flatMap(([name, setup]) => [
    { name: `tool call, ${name}`, ...setup, path: '/_mcp/messages', ...CALL, isRight: isResult },
    { name: `route, ${name}`, ...setup, ...ROUTE },
  ]);
  const rows = await measureInTurn(targets, effort);
  if (page.bytes === 0) throw new Error('The stream of calls sent nothing');
  for (const server of [bare, paneled]) server.stop();
  print(rows);
  const [, , callClosed, routeClosed, callOpen, routeOpen] = rows as Rows;
  const limit = (what: string, open: Measurement, closed: Measurement) =>
    atMost(`Panel: ${what} with the page open: of closed`, OPEN_LIMIT, ratioOf(open, closed));
  return [limit('a tool call', callOpen, callClosed), limit('a route', routeOpen, routeClosed)];
}

/** Call and route in turn: without a panel, with the page closed, with the page open. */
type Rows = [Measurement, Measurement, Measurement, Measurement, Measurement, Measurement];

function print(rows: readonly Measurement[]): void {
  const [call, route] = rows as Rows;
  show(
    table(
      ['Express, 2026-07-28', '>CPU µs per request', '>of no panel'],
      rows.map((row, i) => [
        row.target.name,
        row.cpuMicros.toFixed(0),
        ratioOf(row, i % 2 === 0 ? call : route).toFixed(3),
      ]),
    ),
  );
}

const ROUTE = {
  path: '/tasks',
  body: JSON.stringify(TASK),
  headers: { 'content-type': 'application/json', authorization: 'Bearer bench' },
  isRight: (body: string) => body === ANSWER,
} satisfies Partial<Target>;

/** Reads the stream of calls as a page does. */
class Page {
  bytes = 0;

  constructor(private readonly url: string) {}

  async open(): Promise<() => void> {
    const { statusCode, body } = await request(`${this.url}/_fledge/api/calls/stream`);
    if (statusCode !== 200) throw new Error(`The stream of calls answered ${statusCode}`);
    body.on('data', (chunk: Buffer) => (this.bytes += chunk.length));
    body.on('error', () => undefined); // of closing it
    return () => void body.destroy();
  }
}
