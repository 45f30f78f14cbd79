import { atMost, type Effort, type Goal } from '../goal.js';
import { once } from '../server.js';
import { show } from '../show.js';
import { median, table } from '../table.js';

const SIZES = [1, 100, 1_000] as const;
/** A boot is short, and its time in the difference of two. */
const LEAST_ROUNDS = 5;

interface Boot {
  readonly routes: number;
  /** Milliseconds from `NestFactory.create` to the end of `app.init()`, medians. */
  readonly without: number;
  readonly with: number;
}

/** What `McpModule` adds to the boot of an application, each boot in a process of its own. */
export async function boot({ rounds }: Effort): Promise<Goal[]> {
  const measured = SIZES.map((routes) => ({
    routes,
    without: [] as number[],
    with: [] as number[],
  }));
  for (let round = 0; round < Math.max(rounds, LEAST_ROUNDS); round++) {
    for (const each of measured) {
      each.without.push(await bootMs(each.routes, 'routes'));
      each.with.push(await bootMs(each.routes, 'tools'));
    }
  }
  const boots: Boot[] = measured.map((each) => ({
    routes: each.routes,
    without: median(each.without),
    with: median(each.with),
  }));

  show(
    table(
      ['Boot, Express', '>without McpModule', '>with it', '>difference'],
      boots.map((each) => [
        `${each.routes} ${each.routes === 1 ? 'route' : 'routes'}`,
        `${each.without.toFixed(0)} ms`,
        `${each.with.toFixed(0)} ms`,
        `${addedBy(each).toFixed(0)} ms`,
      ]),
    ),
  );
  const [one, hundred, thousand] = boots.map(addedBy) as [number, number, number];
  return [
    atMost('Boot: 1,000 routes over 100 routes', 12, thousand / hundred),
    // What one route costs is mostly loading the SDK, which would hide a curve.
    atMost('Boot: the same, less what one route costs', 12, (thousand - one) / (hundred - one)),
  ];
}

function addedBy(boot: Boot): number {
  return boot.with - boot.without;
}

async function bootMs(routes: number, imports: 'tools' | 'routes'): Promise<number> {
  return (await once<{ ms: number }>('boot', `${routes}`, imports)).ms;
}
