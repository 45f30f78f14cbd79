/** Creating a format takes longer than parsing a query. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 100;

/** Formats UTC offsets as `GMT+05:30`. Returns undefined if the zone is unknown. */
export function offsetFormatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = createFormat(timeZone);
    if (format === undefined) return undefined;
    // Clients can spell a zone in many ways: `europe/Berlin` is valid too.
    if (formats.size === MAX_FORMATS) formats.clear();
    formats.set(timeZone, format);
  }
  return format;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  // `+02:00` is rejected, because only newer versions of Node.js accept it as a zone.
  if (timeZone.length > 64 || !/^[A-Za-z]/.test(timeZone)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}
