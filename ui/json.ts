/** Returns true for objects, except null and arrays. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON. Returns undefined if the text is not JSON: no JSON text has the value undefined. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Formats JSON with an indentation of two spaces. Other text is returned unchanged. */
export function prettyJson(text: string): string {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Returns the browser's message why a text is not JSON. Returns undefined if it is JSON. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
