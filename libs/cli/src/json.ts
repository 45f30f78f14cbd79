import { BadJsonError } from './cli.errors.js';

/** Matches white space and one token: a string, a number or keyword, or punctuation. */
const TOKEN =
  /[\t\n\r ]*(?:("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null)|([[\]{},:]))/uy;

/**
 * Parses JSON that people write by hand. The error contains the line, the column and the expected
 * token.
 * @param source the name of the text for messages, such as `.mcp.json`
 * @param cure a sentence that says how to fix the JSON
 * @throws BadJsonError
 */
export function readJson(source: string, text: string, cure: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(json) as unknown;
  } catch {
    const { offset, expected } = faultOf(json) ?? { offset: 0, expected: 'JSON' };
    throw new BadJsonError(source, `is not valid JSON: ${whereIs(json, offset, expected)}`, cure);
  }
}

/**
 * Parses a JSON object. The parameters are the same as of `readJson`.
 * @throws BadJsonError if the JSON is invalid, or if it is not an object
 */
export function readJsonObject(
  source: string,
  text: string,
  cure: string,
): Record<string, unknown> {
  const value = readJson(source, text, cure);
  if (isObject(value)) return value;
  throw new BadJsonError(source, `must be a JSON object, but is ${kindOf(value)}`, cure);
}

/** Prints JSON with the indentation and the line ends of an existing text. */
export function printJson(value: object, like = ''): string {
  const indent = /^([ \t]+)\S/m.exec(like)?.[1] ?? '  ';
  const lineEnd = like.includes('\r\n') ? '\r\n' : '\n';
  return `${JSON.stringify(value, null, indent)}\n`.replaceAll('\n', lineEnd);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the kind of a value for messages, such as "an array". */
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
 * Finds the first syntax error of a JSON text. V8 is not used, because its messages differ by
 * version and often lack the position.
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
      if (rest < 0 && expected === 'the end of the text') return undefined;
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

/**
 * Returns the expectation after a token. Returns undefined if the token is not allowed at this
 * place.
 */
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
  if (token !== ',' || expected === 'the end of the text') return undefined;
  return inner === '{' ? 'a name in double quotes' : 'a value';
}

function afterValue(open: readonly string[]): string {
  const inner = open.at(-1);
  if (inner === undefined) return 'the end of the text';
  return inner === '{' ? '"," or "}"' : '"," or "]"';
}

function whereIs(text: string, offset: number, expected: string): string {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  const found =
    offset >= text.length ? 'the end of the text' : JSON.stringify([...text.slice(offset)][0]);
  return `line ${line}, column ${column}, has ${found} instead of ${expected}`;
}
