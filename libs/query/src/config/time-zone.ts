/** Formats UTC offsets as `GMT+05:30`. Returns undefined if the zone is unknown. */
export function offsetFormatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  // `+02:00` is rejected, because only newer versions of Node.js accept it as a zone.
  if (timeZone.length > 64 || !/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}
