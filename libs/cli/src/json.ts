import { BadJsonError } from './cli.errors.js';

/** A token, behind any white space: a string, a number or word, or a mark. */
const TOKEN =
  /[\t\n\r ]*(?:("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)|([[\]{},:]))/uy;

/**
 * Reads JSON as people write it: where it is none, says where and why.
 * @param place what is read, as the subject of a sentence: `.mcp.json`
 * @param cure what to do about it, a sentence
 * @throws BadJsonError naming line and column
 */
export function readJson(place: string, text: string, cure: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json) as unknown;
  } catch {
    const { offset, expected } = faultOf(json) ?? { offset: 0, expected: 'JSON' };
    throw new BadJsonError(place, `is not valid JSON: ${whereIs(json, offset, expected)}`, cure);
  }
}

/** A JSON object, for those who can read nothing else. */
export function readJsonObject(place: string, text: string, cure: string): Record<string, unknown> {
  const value = readJson(place, text, cure);
  if (isObject(value)) return value;
  throw new BadJsonError(place, `must be a JSON object, but is ${kindOf(value)}`, cure);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** "an array", "a number": for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

interface Fault {
  readonly offset: number;
  readonly expected: string;
}

/**
 * The first fault of a JSON text, which V8 names in words that change by version, often without a place.
 * @internal
 */
export function faultOf(text: string): Fault | undefined {
  const open: ('{' | '[')[] = [];
  let expected = 'a value';
  let offset = 0;
  for (;;) {
    TOKEN.lastIndex = offset;
    const token = TOKEN.exec(text);
    if (token === null) {
      const rest = text.slice(offset).search(/[^\t\n\r ]/);
      if (rest < 0 && expected === 'the end') return undefined;
      return { offset: rest < 0 ? text.length : offset + rest, expected };
    }
    const [whole, string, word, mark] = token;
    const next = follow(expected, string ?? word ?? (mark as string), open);
    if (next === undefined) {
      return { offset: offset + whole.length - (string ?? word ?? mark ?? '').length, expected };
    }
    expected = next;
    offset += whole.length;
  }
}

/** What may come after a token where `expected` may stand; undefined when the token may not. */
function follow(expected: string, token: string, open: ('{' | '[')[]): string | undefined {
  const inner = open.at(-1);
  if ((token === '}' && inner === '{') || (token === ']' && inner === '[')) {
    if (!expected.includes(`"${token}"`)) return undefined;
    open.pop();
    return afterValue(open);
  }
  if (expected.startsWith('a value')) {
    if (token === '{' || token === '[') {
      open.push(token);
      return token === '{' ? 'a name in double quotes or "}"' : 'a value or "]"';
    }
    return /^[\]},:]/.test(token) ? undefined : afterValue(open);
  }
  if (expected.startsWith('a name')) return token.startsWith('"') ? '":"' : undefined;
  if (expected === '":"') return token === ':' ? 'a value' : undefined;
  if (token !== ',' || expected === 'the end') return undefined;
  return inner === '{' ? 'a name in double quotes' : 'a value';
}

function afterValue(open: readonly string[]): string {
  const inner = open.at(-1);
  if (inner === undefined) return 'the end';
  return inner === '{' ? '"," or "}"' : '"," or "]"';
}

function whereIs(text: string, offset: number, expected: string): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const found = offset >= text.length ? 'the end' : JSON.stringify([...text.slice(offset)][0]);
  return `line ${line}, column ${column}, has ${found} in the place of ${expected}`;
}
