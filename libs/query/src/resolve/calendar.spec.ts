import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeZone } from '../../test/support/time-zone.js';
import { dayOf, pgTimestamp, spelledTime } from './calendar.js';

afterEach(() => setTimeZone(undefined));

describe.each(['UTC', 'Asia/Kolkata', 'Europe/Amsterdam', 'America/New_York'])('in %s', (zone) => {
  it.each([
    ['0044-03-15 BC', [-43, 2, 15]],
    ['0001-12-31 BC', [0, 11, 31]],
    ['0001-01-01', [1, 0, 1]],
    ['1800-01-01', [1800, 0, 1]],
    ['1905-12-31', [1905, 11, 31]],
    ['1937-06-30', [1937, 5, 30]],
    ['2026-03-08', [2026, 2, 8]],
    ['12345-01-01', [12345, 0, 1]],
  ] as const)('%s is the day of its midnight here and in UTC', (day, [year, month, date]) => {
    setTimeZone(zone);
    const here = new Date(2000, 0, 1);
    here.setFullYear(year, month, date);
    const utc = new Date(0);
    utc.setUTCFullYear(year, month, date);
    expect([dayOf(here), dayOf(utc)]).toEqual([day, day]);
  });
});

describe('pgTimestamp', () => {
  it.each([
    ['Asia/Kolkata', '1800-01-01T00:00:00.250Z', '1800-01-01T05:53:28.250+05:53:28'],
    ['America/New_York', '1800-01-01T00:00:00.000Z', '1799-12-31T19:03:58.000-04:56:02'],
    ['Asia/Kolkata', '-000043-03-15T10:00:00.000Z', '0044-03-15T15:53:28.000+05:53:28 BC'],
  ])('writes the seconds of the offset in %s', (zone, moment, text) => {
    setTimeZone(zone);
    expect(pgTimestamp(new Date(moment))).toBe(text);
  });

  it('does not change other Dates', () => {
    setTimeZone('America/New_York');
    const date = new Date('2026-03-08T07:00:00Z');
    expect(pgTimestamp(date)).toBe(date);
  });
});

it.each([
  ['9:05', '09:05:00'],
  ['09:05:00.000', '09:05:00'],
  ['09:05:00.250', '09:05:00.25'],
  ['23:59:59', '23:59:59'],
])('the time %s is spelled %s', (text, spelled) => {
  expect(spelledTime(text)).toBe(spelled);
});
