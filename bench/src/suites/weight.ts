import { atMost, type Effort, type Goal } from '../goal.js';
import { installed } from '../installed.js';
import { once } from '../server.js';
import { show } from '../show.js';
import { median, table } from '../table.js';

const APPLICATIONS = {
  plain: 'NestJS alone',
  decorator: 'with `@McpTool` alone',
  module: 'with `McpModule`',
} as const;
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
/** A boot is short, and its CPU time in the difference of two. */
const LEAST_ROUNDS = 9;

interface Boot {
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Milliseconds of the first request of a client, then of each call. */
  readonly steps: readonly number[];
}

type Name = keyof typeof APPLICATIONS;

/** What `@fledge/mcp` adds to an application: CPU of its boot, memory, packages, the first request of a client. */
export async function weight({ rounds }: Effort): Promise<Goal[]> {
  const names = Object.keys(APPLICATIONS) as Name[];
  const boots: Record<Name, Boot[]> = { plain: [], decorator: [], module: [] };
  for (let round = 0; round < Math.max(rounds, LEAST_ROUNDS); round++) {
    for (const name of names) boots[name].push(await once<Boot>('weight', name));
  }
  const cpu = (name: Name) => median(boots[name].map(({ cpuMs }) => cpuMs));
  const rss = (name: Name) => median(boots[name].map(({ rssMb }) => rssMb));
  // Of each round, since the machine may be slower in one than in another.
  const added = (name: Name) =>
    median(boots[name].map(({ cpuMs }, i) => cpuMs - (boots.plain[i]?.cpuMs ?? Number.NaN)));

  show(
    table(
      ['Boot, Express', '>CPU', '>added', '>memory'],
      names.map((name) => [
        APPLICATIONS[name],
        `${cpu(name).toFixed(0)} ms`,
        name === 'plain' ? '' : `${added(name).toFixed(0)} ms`,
        `${rss(name).toFixed(0)} MB`,
      ]),
    ),
  );
  await firstRequests(rounds);
  installedPackages();
  return [
    atMost('Weight: CPU that `@McpTool` alone adds to a boot', 20, added('decorator'), ' ms'),
    atMost('Weight: CPU that `McpModule` adds to a boot', 150, added('module'), ' ms'),
  ];
}

/** The SDK of a revision is loaded with its first client. */
async function firstRequests(rounds: number): Promise<void> {
  const rows: string[][] = [];
  for (const revision of REVISIONS) {
    const runs: Boot[] = [];
    for (let round = 0; round < rounds; round++) {
      runs.push(await once<Boot>('weight', 'module', revision));
    }
    const step = (i: number) => median(runs.map(({ steps }) => steps[i] ?? Number.NaN)).toFixed(1);
    const last = median(runs.map(({ steps }) => median(steps.slice(-20)))).toFixed(1);
    rows.push([revision, `${step(0)} ms`, `${step(1)} ms`, `${last} ms`]);
  }
  show(table(['Client', '>its first request', '>its first call', '>a call, after 30'], rows));
}

function installedPackages(): void {
  const [bare, added] = installed();
  show(
    table(
      ['Installed in production', '>packages', '>MB'],
      [
        ['NestJS on Express with nestjs-cls', bare.packages, bare.mb.toFixed(1)],
        ['`@fledge/mcp` adds', added.packages, added.mb.toFixed(1)],
      ],
    ),
  );
}
