/** The format whose `timeZoneName` is the offset of an instant, such as `GMT+05:30`. Undefined for an unknown zone. */
export function offsetFormatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  // `+02:00` is a zone to newer versions of Node.js only.
  if (timeZone.length > 64 || !/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}
