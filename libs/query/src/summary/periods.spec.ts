import { describe, expect, it } from '@jest/globals';
import { randomFrom } from '../../test/support/summary-rows.js';
import type { Period } from '../parse/parsed-summary.js';
import { periodName, segmentsBetween, startsBetween } from './periods.js';
import { offsetsOf } from './zone-offset.js';

const HOUR = 3_600_000;

/** The day on the wall clock, by Intl. */
function dayIn(timeZone: string, instant: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  return format.format(instant);
}

/** A zone and an instant around which its days are unusual. */
const UNUSUAL: readonly (readonly [zone: string, around: string])[] = [
  ['America/St_Johns', '2006-10-29T03:00:00Z'], // set back over midnight: the 29th begins twice
  ['America/St_Johns', '2007-03-11T03:31:00Z'],
  ['America/Sao_Paulo', '2006-11-05T03:00:00Z'], // begins at 01:00
  ['America/Sao_Paulo', '2007-02-25T02:00:00Z'], // ends twice
  ['Pacific/Apia', '2011-12-30T10:00:00Z'], // the 30th is missing
  ['Asia/Manila', '1844-12-31T16:00:00Z'],
  ['America/Havana', '2026-11-01T05:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Asia/Kathmandu', '1985-12-31T18:30:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['UTC', '2026-01-01T00:00:00Z'],
  ['Europe/Berlin', '1893-03-31T23:06:32Z'],
];

describe('segmentsBetween', () => {
  it.each(UNUSUAL)(
    'gives each moment the day of the wall clock in %s around %s',
    (zone, around) => {
      const random = randomFrom(zone.length);
      const middle = Date.parse(around);
      const [first, last] = [
        middle - 60 * HOUR - random(99_999),
        middle + 60 * HOUR + random(99_999),
      ];
      const segments = segmentsBetween([first, last], 'day', offsetsOf(zone)) ?? [];
      const nameAt = (instant: number) => segments.findLast(({ from }) => from <= instant)?.name;
      const instants = [first, last, middle, middle - 1, middle + 1];
      for (let i = 0; i < 400; i++) instants.push(first + random(last - first));
      for (const segment of segments.slice(1)) instants.push(segment.from, segment.from - 1);
      for (const instant of instants) {
        const at = new Date(instant).toISOString();
        expect([at, nameAt(instant)]).toEqual([at, dayIn(zone, instant)]);
        expect(periodName(instant + offsetsOf(zone)(instant), 'day')).toBe(nameAt(instant));
      }
    },
  );

  it('refuses more than a thousand periods', () => {
    const day = 24 * HOUR;
    expect(segmentsBetween([0, 999 * day], 'day', () => 0)).toHaveLength(1000);
    expect(segmentsBetween([0, 1000 * day], 'day', () => 0)).toBeUndefined();
    expect(startsBetween(0, Date.parse('9999-01-01'), 'month')).toBeUndefined();
  });
});

describe('periodName', () => {
  it.each([
    ['2026-01-31', 'day', '2026-01-31'],
    ['2026-01-31', 'month', '2026-01'],
    ['2026-01-31', 'year', '2026'],
    ['0044-03-15', 'year', '0044'],
    ['+010000-01-01', 'day', '10000-01-01'],
    ['+010000-01-01', 'year', '10000'],
    ['2024-12-29', 'week', '2024-W52'],
    ['2024-12-30', 'week', '2025-W01'],
    ['2027-01-03', 'week', '2026-W53'],
    ['2027-01-04', 'week', '2027-W01'],
  ] satisfies [string, Period, string][])(
    'names the period of %s by %s: %s',
    (day, period, name) => {
      expect(periodName(Date.parse(`${day}T00:00:00Z`), period)).toBe(name);
      expect(periodName(Date.parse(`${day}T23:59:59.999Z`), period)).toBe(name);
    },
  );
});
