import { table } from './table.js';

/** How long a suite measures: targets take turns, `rounds` times, `seconds` each. */
export interface Effort {
  readonly seconds: number;
  readonly rounds: number;
}

/** A figure of this run beside what it has to be. */
export interface Goal {
  readonly what: string;
  readonly wanted: string;
  readonly reached: string;
  readonly met: boolean;
}

export function atMost(what: string, limit: number, reached: number, unit = ''): Goal {
  return goal(what, `at most ${limit}${unit}`, reached, unit, reached <= limit);
}

export function atLeast(what: string, limit: number, reached: number, unit = ''): Goal {
  return goal(what, `at least ${limit}${unit}`, reached, unit, reached >= limit);
}

function goal(what: string, wanted: string, reached: number, unit: string, met: boolean): Goal {
  return { what, wanted, reached: `${reached.toFixed(2)}${unit}`, met };
}

export function goalTable(goals: readonly Goal[]): string {
  return table(
    ['Goal', 'wanted', '>reached', ''],
    goals.map(({ what, wanted, reached, met }) => [what, wanted, reached, met ? 'met' : 'not met']),
  );
}
