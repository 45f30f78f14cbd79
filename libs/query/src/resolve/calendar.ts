// Parses and formats dates and times. Date.parse would read '1' as a year, and February 30 as
// March 2.

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;
const TIMESTAMP =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?)(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** Returns the string if it is a calendar day, such as `2026-01-31`, in year 1 or later. */
export function dateOf(text: string): string | undefined {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || year === '0000') return undefined;
  const date = new Date(`${text}T00:00:00Z`);
  const fits = date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day);
  return fits ? text : undefined;
}

/**
 * Returns the day of a Date that a driver returned for a `date` column. The Date is midnight in
 * UTC. With pg, it is midnight in the time zone of the process. Years before 1 have PostgreSQL's
 * format: `0044-03-15 BC`.
 */
export function dayOf(date: Date): string {
  if (date.getTime() % 86_400_000 === 0) {
    return dayText(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate());
  }
  // Needed because getTimezoneOffset() omits the seconds. Old offsets have seconds.
  return dayText(date.getFullYear(), date.getMonth(), date.getDate());
}

function dayText(year: number, month: number, day: number): string {
  const digits = (value: number, width: number) => String(value).padStart(width, '0');
  const text = (shown: number) => `${digits(shown, 4)}-${digits(month + 1, 2)}-${digits(day, 2)}`;
  return year > 0 ? text(year) : `${text(1 - year)} BC`;
}

export function timeOf(text: string): string | undefined {
  return TIME.test(text) ? text : undefined;
}

/** Writes a time in the format of databases: `09:05` and `09:05:00.000` become `09:05:00`. */
export function spelledTime(time: string): string {
  const [clock = '', fraction = ''] = time.split('.');
  const [hours = '', minutes = '00', seconds = '00'] = clock.split(':');
  const digits = fraction.replace(/0+$/, '');
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}${digits && `.${digits}`}`;
}

/**
 * Converts a Date to a string that pg sends correctly. pg writes local time with an offset in
 * minutes, but old offsets also have seconds. The string is valid for `timestamptz` and
 * `timestamp`.
 */
export function pgTimestamp(date: Date): Date | string {
  const wall = new Date(0);
  wall.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()];
  wall.setUTCHours(hours, minutes, seconds, date.getMilliseconds());
  const offset = (wall.getTime() - date.getTime()) / 1000;
  if (offset % 60 === 0) return date;
  const day = dayText(date.getFullYear(), date.getMonth(), date.getDate());
  const zone = new Date(Math.abs(offset) * 1000).toISOString().slice(11, 19);
  const time = `${wall.toISOString().slice(-13, -1)}${offset < 0 ? '-' : '+'}${zone}`;
  return day.replace(/(?= BC|$)/, `T${time}`);
}

/**
 * Parses a timestamp in the years 1 to 9999. The default offset is UTC, and the default time is
 * midnight.
 */
export function timestampOf(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = TIMESTAMP.exec(text) ?? [];
  if (day === undefined || dateOf(day) === undefined) return undefined;
  const date = new Date(`${day}T${time}${offset}`);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}
