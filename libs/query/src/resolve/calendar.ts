// Date.parse takes '1' for a year and February 30 for March 2, so dates are read by hand.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** `2026-01-31` if the calendar has that day, from year 1 on. */
export function dateOf(text: string): string | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  const fits = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return fits ? text : undefined;
}

/**
 * The day a driver meant by a Date: some make midnight of it in UTC, pg in the time zone of the process.
 */
export function dayOf(date: Date): string {
  const iso = date.toISOString();
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10);
  const offset = date.getTimezoneOffset() * 60_000;
  return new Date(date.getTime() - offset).toISOString().slice(0, 10);
}

/** The time of a day, as given. */
export function timeOf(text: string): string | undefined {
  return TIME.test(text) ? text : undefined;
}

/** A point in time, in the years 1 to 9999 of UTC. Without an offset the text is in UTC. */
export function timestampOf(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = TIMESTAMP.exec(text) ?? [];
  if (day === undefined || dateOf(day) === undefined) return undefined;
  const date = new Date(`${day}T${time}${offset}`);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
