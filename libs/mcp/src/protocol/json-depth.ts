/**
 * Levels a JSON text may nest. `JSON.parse` takes any number; what walks the value afterwards, a
 * schema library or `JSON.stringify`, recurses and runs out of stack.
 */
export const MAX_JSON_DEPTH = 256;

/** Whether a JSON text nests deeper than `MAX_JSON_DEPTH`. One pass, no recursion. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    switch (json.charCodeAt(i)) {
      case QUOTE:
        inString = !inString;
        break;
      case BACKSLASH:
        i++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (!inString && ++depth > MAX_JSON_DEPTH) return true;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (!inString) depth--;
        break;
    }
  }
  return false;
}

/** Whether a parsed value nests deeper than `MAX_JSON_DEPTH`. Recurses no deeper than that. */
export function nestsTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => nestsTooDeep(member, levels - 1));
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
