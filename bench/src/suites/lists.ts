import { Buffer } from 'node:buffer';
import { atMost, type Effort, type Goal } from '../goal.js';
import { CONNECTIONS, type Measurement, measureInTurn, type Target } from '../load.js';
import { type McpMessage, sessionRequest, statelessRequest } from '../mcp-messages.js';
import { openSessions } from '../mcp-sessions.js';
import { Server } from '../server.js';
import { show } from '../show.js';
import { table } from '../table.js';

const SIZES = [5, 50, 500] as const;
const OURS = '/_mcp/messages';
const IN_SESSION = sessionRequest('tools/list', {});
const STATELESS = statelessRequest('tools/list', {});

interface ListTarget extends Target {
  readonly tools: number;
  /** Of one answer. */
  readonly bytes: number;
}

/** What `tools/list` costs as it grows: by the request, and by the byte of its answer. */
export async function lists(effort: Effort): Promise<Goal[]> {
  const ours: ListTarget[] = [];
  const others: ListTarget[] = [];
  for (const tools of SIZES) {
    for (const platform of ['Express', 'Fastify']) {
      const server = await Server.start('list-app', platform, `${tools}`);
      const sessions = await openSessions(server.url + OURS, CONNECTIONS);
      ours.push(
        await listOf(tools, `${platform}, 2025-11-25`, server, OURS, IN_SESSION, sessions),
        await listOf(tools, `${platform}, 2026-07-28`, server, OURS, STATELESS),
      );
    }
    for (const schema of ['JSON Schema', 'zod']) {
      const server = await Server.start('list-mcp-nest', `${tools}`, schema);
      const name = `@rekog/mcp-nest with ${schema}, Express, 2025-11-25`;
      others.push(await listOf(tools, name, server, '/mcp', IN_SESSION));
    }
  }
  const targets = [...ours, ...others];
  // Half as long as calls: there are twice as many.
  const rows = await measureInTurn(targets, { ...effort, seconds: effort.seconds / 2 });
  for (const { server } of targets) server.stop();

  const listings = namesOf(targets).map((name) => listingOf(name, targets, rows));
  show(tableOf(listings));
  show(listings.map((listing) => `${growthOf(listing)}\n`).join(''));
  return namesOf(ours).map((name) => goalOf(listingOf(name, ours, rows)));
}

/** The list of a server, looked at once so that every later answer can be held against it. */
async function listOf(
  tools: number,
  name: string,
  server: Server,
  path: string,
  { headers, body }: McpMessage,
  sessions: readonly string[] = [],
): Promise<ListTarget> {
  const session = sessions[0];
  const answer = await fetch(server.url + path, {
    method: 'POST',
    body,
    headers: session === undefined ? headers : { ...headers, 'mcp-session-id': session },
  });
  const text = await answer.text();
  const found = toolsIn(text);
  if (found !== tools) throw new Error(`${name}: ${found} whole tools of ${tools} in ${text}`);
  const bytes = Buffer.byteLength(text);
  const isRight = (later: string) => later === text;
  return { name, server, path, headers, body, sessions, tools, bytes, isRight };
}

/** How many tools with all their parameters an answer lists. */
function toolsIn(text: string): number {
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const { result } = JSON.parse(json) as {
    result: { tools: { name: string; inputSchema: { properties: object } }[] };
  };
  return result.tools.filter((tool) => Object.keys(tool.inputSchema.properties).length === 8)
    .length;
}

/** The lists of one server, from the shortest to the longest. */
interface Listing {
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Step {
  readonly tools: number;
  readonly bytes: number;
  readonly cpuMicros: number;
  readonly nanosPerByte: number;
  /** What every byte costs that the step before does not have: this has no fixed part. */
  readonly nanosPerMore: number | undefined;
}

function namesOf(targets: readonly ListTarget[]): string[] {
  return [...new Set(targets.map(({ name }) => name))];
}

function listingOf(
  name: string,
  targets: readonly ListTarget[],
  rows: readonly Measurement[],
): Listing {
  const steps: Step[] = [];
  for (const target of targets.filter((each) => each.name === name)) {
    const { tools, bytes } = target;
    const cpuMicros = rows.find((row) => row.target === target)?.cpuMicros ?? Number.NaN;
    const before = steps.at(-1);
    const nanosPerMore =
      before && (1_000 * (cpuMicros - before.cpuMicros)) / (bytes - before.bytes);
    steps.push({
      tools,
      bytes,
      cpuMicros,
      nanosPerByte: (1_000 * cpuMicros) / bytes,
      nanosPerMore,
    });
  }
  return { name, steps };
}

function tableOf(listings: readonly Listing[]): string {
  return table(
    ['tools/list', '>tools', '>bytes', '>CPU µs per request', '>ns per byte', '>ns per byte more'],
    listings.flatMap(({ name, steps }) =>
      steps.map(({ tools, bytes, cpuMicros, nanosPerByte, nanosPerMore }) => [
        name,
        tools,
        bytes,
        cpuMicros.toFixed(0),
        nanosPerByte.toFixed(2),
        nanosPerMore?.toFixed(2) ?? '',
      ]),
    ),
  );
}

/** Whether a byte costs more in a long list, the fixed part of a request left out. */
function growthOf({ name, steps }: Listing): string {
  const [, early, late] = steps.map(({ nanosPerMore }) => nanosPerMore ?? Number.NaN);
  if (early === undefined || late === undefined) return '';
  const change = late > early * 1.1 ? 'grows' : 'does not grow';
  return `- ${name}: a byte more costs ${early.toFixed(2)} ns up to 50 tools and ${late.toFixed(2)} ns up to 500: it ${change}.`;
}

function goalOf({ name, steps }: Listing): Goal {
  const [shortest, longest] = [steps.at(0), steps.at(-1)];
  if (!shortest || !longest) throw new Error(`${name} was not measured`);
  const what = `tools/list, ${name}: a byte at ${longest.tools} tools over one at ${shortest.tools}`;
  return atMost(what, 1, longest.nanosPerByte / shortest.nanosPerByte);
}
