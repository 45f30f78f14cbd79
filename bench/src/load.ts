import { performance } from 'node:perf_hooks';
import { Client } from 'undici';
import type { Effort } from './goal.js';
import type { Server } from './server.js';
import { median, table } from './table.js';

/** What the load says to a server: the same for every connection but the session it belongs to. */
export interface Target {
  readonly name: string;
  readonly server: Server;
  /** @default 'POST' */
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** MCP sessions to spread over the connections, where the target needs them. */
  readonly sessions?: readonly string[];
  /** Begins something that goes on beside the load. Returns a function that ends it. */
  beside?(): Promise<() => void>;
  /** Whether a body is the right answer. Asked about every one: a benchmark of errors is none. */
  isRight(body: string): boolean;
}

export interface Measurement {
  readonly target: Target;
  /** Server CPU time, user and system, in microseconds per request: the median of the rounds. */
  readonly cpuMicros: number;
  readonly perSecond: number;
  readonly rounds: readonly Round[];
}

interface Round {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

export const CONNECTIONS = 10;
const WARM_UP_SECONDS = 2;

/** Measures each target in turn, round after round, so that a busy moment hits none alone. */
export async function measureInTurn(
  targets: readonly Target[],
  { seconds, rounds }: Effort,
): Promise<Measurement[]> {
  const measured = targets.map((): Round[] => []);
  for (const target of targets) await measure(target, WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const [i, target] of targets.entries()) measured[i]?.push(await measure(target, seconds));
  }
  return targets.map((target, i) => {
    const of = measured[i] ?? [];
    return {
      target,
      cpuMicros: median(of.map(({ cpuMicros }) => cpuMicros)),
      perSecond: median(of.map(({ perSecond }) => perSecond)),
      rounds: of,
    };
  });
}

/** Returns the measurement of a target by its name. */
export function rowOf(rows: readonly Measurement[], name: string): Measurement {
  const row = rows.find(({ target }) => target.name === name);
  if (!row) throw new Error(`${name} was not measured`);
  return row;
}

/**
 * How many times the CPU of another target one takes. Compared round by round: what slows the machine
 * for a while slows both.
 */
export function ratioOf(one: Measurement, other: Measurement): number {
  return median(
    one.rounds.map(({ cpuMicros }, i) => cpuMicros / (other.rounds[i]?.cpuMicros ?? Number.NaN)),
  );
}

/**
 * A table of CPU time, its ratio to another row, and requests per second.
 * @param headings of the first column and of the ratio
 */
export function comparisonTable(
  [first, ratio]: readonly [string, string],
  rows: readonly Measurement[],
  baseOf: (row: Measurement) => Measurement,
): string {
  return table(
    [first, '>CPU µs per request', `>${ratio}`, '>req/s'],
    rows.map((row) => [
      row.target.name,
      row.cpuMicros.toFixed(0),
      ratioOf(row, baseOf(row)).toFixed(2),
      row.perSecond.toFixed(0),
    ]),
  );
}

/** Some seconds of load. Ends when the last request is answered, so that each counts in full. */
async function measure(target: Target, seconds: number): Promise<Round> {
  const end = await target.beside?.();
  // No collection first: a forced one throws compiled code away, and a round would measure compiling.
  const before = await target.server.usage();
  const began = performance.now();
  const until = began + seconds * 1_000;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, i) => askUntil(until, target, i)),
  );
  const requests = counts.reduce((sum, count) => sum + count, 0);
  const elapsed = (performance.now() - began) / 1_000;
  const after = await target.server.usage();
  end?.();
  return {
    cpuMicros: (after.cpu - before.cpu) / requests,
    perSecond: requests / elapsed,
  };
}

/** One keep-alive connection that asks, waits and asks again; returns how often. */
async function askUntil(until: number, target: Target, connection: number): Promise<number> {
  const { name, server, method = 'POST', path, body = null, sessions } = target;
  const session = sessions?.[connection % sessions.length];
  const headers = session ? { ...target.headers, 'mcp-session-id': session } : target.headers;
  const client = new Client(server.url);
  let requests = 0;
  while (performance.now() < until || requests === 0) {
    const answer = await client.request({ method, path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode >= 300 || !target.isRight(text)) {
      throw new Error(`${name}: ${answer.statusCode} ${text.slice(0, 2_000)}`);
    }
    requests++;
  }
  await client.close();
  return requests;
}
