import { ArgumentError } from '../../mcp.errors.js';
import type { QueryParser } from '../routes/query-parser.js';

/**
 * Converts an argument to a string for a path or query string.
 * @throws ArgumentError if the value is an object, or if it contains a lone surrogate (URLs cannot
 * contain these)
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
      throw new ArgumentError(argument, 'must be a string, a number or a boolean');
  }
}

/**
 * Encodes a value as one path segment.
 * @throws ArgumentError for `.`, `..` and the empty string. Even percent-encoded (RFC 3986 §2.3),
 * these segments would change which resource the URL points to (§5.2.4)
 */
export function pathSegment(argument: string, value: unknown): string {
  const text = urlText(argument, value);
  if (text === '') {
    throw new ArgumentError(argument, 'must not be empty, because it is part of the path');
  }
  if (text === '.' || text === '..') {
    throw new ArgumentError(argument, `must not be "${text}", because it is part of the path`);
  }
  return encodeURIComponent(text);
}

/**
 * Encodes a value as one or more path segments, separated by slashes.
 * @throws ArgumentError if `pathSegment` rejects a segment
 */
export function pathSegments(argument: string, value: unknown): string[] {
  return urlText(argument, value)
    .split('/')
    .map((segment) => pathSegment(argument, segment));
}

type Entry = readonly [name: string, value: unknown];

/** A list that is sent as one value in the query string: `tags=a,b`. */
export class DelimitedList {
  constructor(
    readonly items: readonly unknown[],
    readonly separator: string,
  ) {}
}

/**
 * The text after the name of a list that has one item or is inside an object. With `[]`, the parser
 * returns a list. Without it, the parser returns the item of a list with one item.
 */
export type ListSuffix = '[]' | '';

/** Returns `[]` if the parser supports it. */
export function listSuffixOf(parser: QueryParser): ListSuffix {
  return isRead(['b'], memberOf(parsedBy(parser, 'a[]=b'), 'a')) ? '[]' : '';
}

/**
 * Builds a query string without `?`. A list of simple values repeats the key. An object becomes
 * `a[b]` (OpenAPI "deepObject"). A list of objects becomes `a[0][b]`. Null and undefined are
 * omitted. An empty string is kept.
 * @throws ArgumentError for values that a query string cannot contain
 */
export function queryStringOf(entries: readonly Entry[], suffix: ListSuffix = ''): string {
  const pairs: string[] = [];
  for (const [name, value] of entries) addTo(pairs, name, value, { depth: 0, suffix });
  return pairs.join('&');
}

/** Maximum depth of objects that query string parsers support (qs: 5). */
const MAX_DEPTH = 5;

interface Level {
  readonly depth: number;
  readonly suffix: ListSuffix;
}

function addTo(pairs: string[], name: string, value: unknown, { depth, suffix }: Level): void {
  const below = { depth: depth + 1, suffix };
  if (value === null || value === undefined) return;
  if (value instanceof DelimitedList) {
    const items = value.items.map((item) => encodeURIComponent(urlText(name, item)));
    // A comma is a plain character in a query string; other separators are encoded.
    const separator = value.separator === ',' ? ',' : encodeURIComponent(value.separator);
    if (items.length > 0) pairs.push(`${encodeURIComponent(name)}=${items.join(separator)}`);
  } else if (typeof value !== 'object' || depth >= MAX_DEPTH) {
    pairs.push(
      `${encodeURIComponent(urlText('name', name))}=${encodeURIComponent(urlText(name, value))}`,
    );
  } else if (Array.isArray(value)) {
    const isFlat = value.every(isScalar);
    const repeated = depth === 0 && value.length > 1 ? name : `${name}${suffix}`;
    for (const [i, item] of value.entries()) {
      const { length } = pairs;
      addTo(pairs, isFlat ? repeated : `${name}[${i}]`, item, below);
      if (pairs.length > length) continue;
      throw new ArgumentError(
        name,
        'has null or an empty value in a list, which no URL can contain',
      );
    }
  } else {
    for (const [key, item] of Object.entries(value)) addTo(pairs, `${name}[${key}]`, item, below);
  }
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/**
 * The number of keys, and of items in a list, that every query string parser supports (qs: 20
 * items).
 */
const SAFE_COUNT = 20;

/**
 * Returns true if every query string parser supports the entries: few keys, and each value is
 * simple or a short list.
 */
export function isPlain(entries: readonly Entry[]): boolean {
  return (
    entries.length <= SAFE_COUNT &&
    entries.every(
      ([, value]) =>
        isScalar(value) ||
        value instanceof DelimitedList ||
        (Array.isArray(value) && value.length <= SAFE_COUNT && value.every(isScalar)),
    )
  );
}

/**
 * Checks that the application's query string parser returns every value unchanged. Parsers silently
 * drop values that they cannot read, and a lost filter would return too many rows.
 * @throws ArgumentError with the name of the first argument that is lost or changed
 */
export function assertRead(entries: readonly Entry[], query: string, parser: QueryParser): void {
  const parsed = parsedBy(parser, query);
  for (const [name, value] of entries) {
    if (value instanceof DelimitedList) continue;
    const found = memberOf(parsed, name);
    if (isRead(value, found)) continue;
    if (Array.isArray(value) && value.length === 1 && isScalar(value[0]) && isRead(value[0], found))
      continue;
    throw new ArgumentError(
      name,
      Array.isArray(value) && value.every(isScalar)
        ? 'has more items than the query parser of the application supports'
        : 'contains an object or a nested list, which the query parser of the application does ' +
            'not support',
    );
  }
}

/** Returns true if the parser reads a name as one key, not as an object: `filter[gt]`. */
export function isOneName(name: string, parser: QueryParser): boolean {
  return memberOf(parsedBy(parser, queryStringOf([[name, '1']])), name) !== undefined;
}

function parsedBy(parser: QueryParser, query: string): unknown {
  try {
    return parser(query);
  } catch {
    return undefined;
  }
}

/**
 * Returns true if a parsed value equals the original value. Values are compared as strings. Omitted
 * values must be missing.
 */
function isRead(value: unknown, parsed: unknown): boolean {
  if (isNothing(value)) return true;
  if (isScalar(value)) return isScalar(parsed) && String(parsed) === String(value);
  if (Array.isArray(value)) {
    return (
      Array.isArray(parsed) &&
      parsed.length === value.length &&
      value.every((item, i) => isRead(item, parsed[i]))
    );
  }
  return Object.entries(value as object).every(([key, item]) =>
    isRead(item, memberOf(parsed, key)),
  );
}

/**
 * Returns true if a query string omits the value. It omits null, undefined, and objects and lists
 * that contain only such values.
 */
function isNothing(value: unknown): boolean {
  if (isScalar(value)) return value === null || value === undefined;
  return Object.values(value as object).every(isNothing);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
