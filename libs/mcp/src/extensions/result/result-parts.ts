import { parsedJson } from '../../serve/protocol/json-rpc.js';

/** A string, split into parts of limited size. */
export interface ResultParts {
  readonly texts: readonly string[];
  /**
   * The number of items. Set only if the string is a JSON array. Each part is then an array of
   * complete items.
   */
  readonly items: number | undefined;
  /** Number of items in the first part. */
  readonly itemsShown: number;
}

/**
 * Splits a string into parts of at most `maxBytes` bytes. A JSON array is split between its items,
 * if every item fits into a part. Other strings are split between characters.
 */
export function partsOf(text: string, maxBytes: number): ResultParts {
  if (Buffer.byteLength(text) <= maxBytes)
    return { texts: [text], items: undefined, itemsShown: 0 };
  return (
    listParts(text, maxBytes) ?? { texts: slices(text, maxBytes), items: undefined, itemsShown: 0 }
  );
}

function listParts(text: string, maxBytes: number): ResultParts | undefined {
  const value = text.startsWith('[') ? parsedJson(text) : undefined;
  if (!Array.isArray(value)) return undefined;
  const parts: string[][] = [];
  let room = 0;
  for (const item of itemsIn(text)) {
    const bytes = Buffer.byteLength(item) + 1;
    if (bytes > maxBytes - 1) return undefined;
    if (bytes > room) {
      parts.push([]);
      // Reserves bytes for the brackets. The last item has no comma.
      room = maxBytes - 1;
    }
    parts.at(-1)?.push(item);
    room -= bytes;
  }
  const texts = parts.map((items) => `[${items.join(',')}]`);
  return { texts, items: value.length, itemsShown: parts[0]?.length ?? 0 };
}

/**
 * Returns the items of a valid JSON array as they are written. Parsing them would change numbers
 * such as 9007199254740993.
 */
function itemsIn(array: string): readonly string[] {
  const items: string[] = [];
  let start = 1;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < array.length; i++) {
    const char = array[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    if (inString) continue;
    if (char === '[' || char === '{') depth++;
    if (char === ']' || char === '}') depth--;
    if (depth > 1 || (depth === 1 && char !== ',')) continue;
    const item = array.slice(start, i).trim();
    // Empty only in an empty array, and for white space after the array.
    if (item !== '') items.push(item);
    start = i + 1;
  }
  return items;
}

function slices(text: string, maxBytes: number): readonly string[] {
  const bytes = Buffer.from(text);
  const found: string[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(start + maxBytes, bytes.length);
    while (end > start && isContinuation(bytes[end])) end--;
    // A single character may be larger than the limit.
    if (end === start) end = nextCharacter(bytes, start);
    found.push(bytes.toString('utf8', start, end));
    start = end;
  }
  return found;
}

function nextCharacter(bytes: Buffer, start: number): number {
  let end = start + 1;
  while (isContinuation(bytes[end])) end++;
  return end;
}

/** Returns true for the second and later bytes of a UTF-8 character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
