import { ArgumentError } from '../mcp.errors.js';
import type { QueryParser } from '../routes/query-parser.js';

/**
 * The text of an argument that stands in a path or a query.
 * @throws ArgumentError for what has no text, and for a lone surrogate, which no URL can carry
 */
function urlText(argument: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new ArgumentError(argument, 'is not well-formed Unicode');
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      throw new ArgumentError(argument, 'must be text, a number or a boolean');
  }
}

/**
 * A value as one path segment. `.`, `..` and the empty segment are refused: they name another
 * resource (RFC 3986 §5.2.4), and no percent-encoding protects a dot segment (§2.3).
 * @throws ArgumentError
 */
export function pathSegment(argument: string, value: unknown): string {
  const text = urlText(argument, value);
  if (text === '') throw new ArgumentError(argument, 'must not be empty: it is part of the path');
  if (text === '.' || text === '..') {
    throw new ArgumentError(argument, `must not be "${text}": it is part of the path`);
  }
  return encodeURIComponent(text);
}

/**
 * A value as one or more path segments, parted by slashes.
 * @throws ArgumentError when any of them is refused by `pathSegment`
 */
export function pathSegments(argument: string, value: unknown): string[] {
  return urlText(argument, value)
    .split('/')
    .map((segment) => pathSegment(argument, segment));
}

type Entry = readonly [name: string, value: unknown];

/**
 * A query string without `?`. Lists of texts become repeated keys, objects the keys `a[b]` (OpenAPI
 * "deepObject"), lists of objects `a[0][b]`, null and undefined nothing; an empty text stays.
 * @throws ArgumentError for what a query cannot carry
 */
export function queryStringOf(entries: readonly Entry[]): string {
  const pairs: string[] = [];
  for (const [name, value] of entries) addTo(pairs, name, value, 0);
  return pairs.join('&');
}

/** Objects nest no deeper than query parsers read them (qs: 5). */
const MAX_DEPTH = 5;

function addTo(pairs: string[], name: string, value: unknown, depth: number): void {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || depth >= MAX_DEPTH) {
    pairs.push(
      `${encodeURIComponent(urlText('name', name))}=${encodeURIComponent(urlText(name, value))}`,
    );
  } else if (Array.isArray(value)) {
    const isFlat = value.every(isScalar);
    for (const [i, item] of value.entries())
      addTo(pairs, isFlat ? name : `${name}[${i}]`, item, depth + 1);
  } else {
    for (const [key, item] of Object.entries(value))
      addTo(pairs, `${name}[${key}]`, item, depth + 1);
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** Query parsers read this many keys and items of a list without their limits (qs: 20 items). */
const SAFE_COUNT = 20;

/** Whether each value is a text or a short list of texts, which every query parser reads. */
export function isPlain(entries: readonly Entry[]): boolean {
  return (
    entries.length <= SAFE_COUNT &&
    entries.every(
      ([, value]) =>
        isScalar(value) ||
        (Array.isArray(value) && value.length <= SAFE_COUNT && value.every(isScalar)),
    )
  );
}

/**
 * A parser that does not read a value drops it without a word, and a list without its filter is
 * longer. So every value has to come out of the parser as it went in.
 * @throws ArgumentError naming the first argument that does not
 */
export function assertRead(entries: readonly Entry[], query: string, parser: QueryParser): void {
  const parsed = parsedBy(parser, query);
  for (const [name, value] of entries) {
    if (isRead(value, memberOf(parsed, name))) continue;
    throw new ArgumentError(
      name,
      Array.isArray(value) && value.every(isScalar)
        ? "is a longer list than the application's query parser reads"
        : "holds an object or a list in a list, which the application's query parser does not read",
    );
  }
}

function parsedBy(parser: QueryParser, query: string): unknown {
  try {
    return parser(query);
  } catch {
    return undefined;
  }
}

/** Whether a parser gave a value back: its texts are the same, and what is left out is missing. */
function isRead(value: unknown, parsed: unknown): boolean {
  if (isNothing(value)) return true;
  if (isScalar(value)) return isScalar(parsed) && String(parsed) === String(value);
  if (Array.isArray(value)) {
    const items = value.filter((item) => !isNothing(item));
    if (items.length === 1 && !Array.isArray(parsed)) return isRead(items[0], parsed);
    return (
      Array.isArray(parsed) &&
      parsed.length === items.length &&
      items.every((item, i) => isRead(item, parsed[i]))
    );
  }
  return Object.entries(value as object).every(([key, item]) =>
    isRead(item, memberOf(parsed, key)),
  );
}

/** Whether nothing stands for a value in a query: null, and what holds nothing else. */
function isNothing(value: unknown): boolean {
  if (isScalar(value)) return value === null || value === undefined;
  return Object.values(value as object).every(isNothing);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
