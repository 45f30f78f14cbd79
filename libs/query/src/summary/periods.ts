import type { Period } from '../parse/parsed-summary.js';
import type { OffsetAt } from './zone-offset.js';

// Computes when the days, weeks, months and years of a time zone begin. Local time is in
// milliseconds here, as if the local clock were UTC.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function startOfPeriod(local: number, period: Period): number {
  const day = Math.floor(local / DAY) * DAY;
  const date = new Date(day);
  switch (period) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7) * DAY;
    case 'month':
      return date.setUTCDate(1);
    case 'year':
      return date.setUTCMonth(0, 1);
  }
}

/** @param start the start of a period, in local time */
function nextPeriod(start: number, period: Period): number {
  const date = new Date(start);
  switch (period) {
    case 'day':
      return start + DAY;
    case 'week':
      return start + 7 * DAY;
    case 'month':
      return date.setUTCMonth(date.getUTCMonth() + 1);
    case 'year':
      return date.setUTCFullYear(date.getUTCFullYear() + 1);
  }
}

/** Returns the ISO 8601 name, such as `2026-01-31`, `2026-W05`, `2026-01` or `2026`. */
export function periodName(local: number, period: Period): string {
  const start = new Date(startOfPeriod(local, period));
  if (period === 'week') return weekName(start);
  const [day = ''] = start.toISOString().replace(/^\+0/, '').split('T');
  return day.slice(0, day.length - OMITTED[period]);
}

/** The number of omitted characters of a date, such as `-01-31`. */
const OMITTED = { day: 0, month: 3, year: 6 } as const;

/** The year of a week is the year of its Thursday. */
function weekName(monday: Date): string {
  const thursday = new Date(monday.getTime() + 3 * DAY);
  const first = startOfPeriod(thursday.getTime(), 'year');
  const week = Math.floor((thursday.getTime() - first) / (7 * DAY)) + 1;
  const year = String(thursday.getUTCFullYear()).padStart(4, '0');
  return `${year}-W${String(week).padStart(2, '0')}`;
}

export const MOST_PERIODS = 1000;

/** Omits the first period. Returns undefined if there are too many. */
export function startsBetween(first: number, last: number, period: Period): number[] | undefined {
  const starts: number[] = [];
  let start = nextPeriod(startOfPeriod(first, period), period);
  for (; start <= last; start = nextPeriod(start, period)) {
    if (starts.push(start) >= MOST_PERIODS) return undefined;
  }
  return starts;
}

/** A span of time with the name of its period. It ends where the next span starts. */
export interface Segment {
  readonly from: number;
  readonly name: string;
}

/**
 * Returns the periods between two instants, as spans of time. Databases compare these instants, so
 * they need no time zones. If the clock is set back across the start of a period, the period has
 * several spans.
 * @returns undefined if there are too many periods
 */
export function segmentsBetween(
  [first, last]: readonly [number, number],
  period: Period,
  offsetAt: OffsetAt,
): Segment[] | undefined {
  const starts = startsBetween(first + offsetAt(first), last + offsetAt(last), period);
  if (starts === undefined) return undefined;
  // Clock changes may repeat the start of the first period, or move the start of the next period.
  const start = startOfPeriod(first + offsetAt(first), period);
  const around = [start, ...starts, nextPeriod(starts.at(-1) ?? start, period)];
  const changes = around
    .flatMap((start) => changesAround(start, period, offsetAt))
    .filter(({ from }) => from > first && from <= last)
    .toSorted((a, b) => a.from - b.from);
  const segments = [{ from: first, name: periodName(first + offsetAt(first), period) }];
  for (const change of changes) {
    if (change.name !== segments.at(-1)?.name) segments.push(change);
  }
  return segments;
}

/** A limit that is larger than the UTC offset of every time zone. */
const FURTHEST = 26 * HOUR;

/** Returns the instants at which the period changes, near a start in local time. */
function changesAround(start: number, period: Period, offsetAt: OffsetAt): Segment[] {
  const at = (from: number, local: number): Segment => ({ from, name: periodName(local, period) });
  const [before, after] = [offsetAt(start - FURTHEST), offsetAt(start + FURTHEST)];
  if (before === after) return [at(start - before, start)];
  const transition = transitionBetween(start - FURTHEST, start + FURTHEST, offsetAt);
  return [
    ...(start - before < transition ? [at(start - before, start)] : []),
    at(transition, transition + after),
    ...(start - after > transition ? [at(start - after, start)] : []),
  ];
}

function transitionBetween(low: number, high: number, offsetAt: OffsetAt): number {
  const before = offsetAt(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
