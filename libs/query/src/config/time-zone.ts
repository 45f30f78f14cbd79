/**
 * Returns the format whose `timeZoneName` is the UTC offset, such as `GMT+05:30`, or undefined for
 * an unknown zone.
 */
export function offsetFormatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  // Only newer versions of Node.js accept `+02:00` as a zone.
  if (timeZone.length > 64 || !/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}
