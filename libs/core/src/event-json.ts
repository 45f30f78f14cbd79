/**
 * Characters that some clients take for the end of a line. In an event they would end the JSON, though the
 * specification ends lines at CR and LF only (WHATWG HTML, server-sent events).
 */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

/** Returns the same JSON for an event: characters that some clients take for the end of a line are escaped. */
export function eventJson(json: string): string {
  return json.replace(LINE_ENDS, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
