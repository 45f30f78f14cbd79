import { InvalidQueryConfigError, InvalidQueryError, type QueryProblem } from '../query.errors.js';
import type { Findings } from './findings.js';

/** The parameters of every list. The values are the kinds of their problems. */
export const PARAMETERS = {
  filter: 'filter',
  where: 'where',
  sort: 'sort',
  fields: 'fields',
  page: 'page',
  after: 'cursor',
  before: 'cursor',
  limit: 'limit',
  q: 'search',
} as const satisfies Readonly<Record<string, QueryProblem['kind']>>;

type Parameter = keyof typeof PARAMETERS;

/** The decoded parameters. Clients can send any structure. */
export type WireQuery = Readonly<Partial<Record<Parameter, unknown>>>;

const NONE: WireQuery = {};

/**
 * Returns the decoded query string. `undefined` and `null` have no parameters. Rejects other values
 * whose parameters are not properties, because the list would ignore every filter.
 * @throws InvalidQueryConfigError for `URLSearchParams`, `URL` and `Map`, which clients cannot send
 * @throws InvalidQueryError for strings, arrays and other JSON values, which a body can contain
 */
export function decodedQuery(query: unknown): WireQuery {
  if (query === undefined || query === null) return NONE;
  if (typeof query !== 'object' || Array.isArray(query)) {
    const expected = 'an object with the parameters of the list';
    throw new InvalidQueryError([{ kind: 'body', reason: 'malformed', expected }]);
  }
  if (!(Symbol.iterator in query) && !(query instanceof URL)) return query;
  throw new InvalidQueryConfigError(
    `The query is ${query.constructor.name}, but its parameters cannot be read as properties.`,
    "Pass querystring.parse(String(searchParams)), with querystring from 'node:querystring'.",
  );
}

/**
 * Finds the parameters in each form that servers decode. `filter=a&filter=b` becomes an array. If
 * there are many values, they become an object with numbers as keys. `filter[]=a` and `filter[0]=a`
 * become an array under `filter`, or separate keys. Separate keys are merged in the order `filter`,
 * `filter[]`, `filter[0]`, `filter[1]`. Express' extended parser merges them itself, in the order
 * of the URL.
 */
export function readParameters(query: WireQuery): WireQuery {
  const bracketed = Object.keys(query).filter((key) => key.endsWith(']'));
  return bracketed.length === 0 ? query : withBracketed(query, bracketed);
}

/** An object with numbers as keys is a list. For other keys, the item is undefined. */
export function membersOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).map(([key, member]) =>
    INDEX.test(key) ? (member as unknown) : undefined,
  );
}

const MAX_INDEX = 999_999_999;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const BRACKETED = new RegExp(`^(${Object.keys(PARAMETERS).join('|')})\\[`);

function withBracketed(query: WireQuery, keys: readonly string[]): WireQuery {
  const record = query as Readonly<Record<string, unknown>>;
  const found: { name: Parameter; order: number; members: readonly unknown[] }[] = [];
  for (const key of keys) {
    const name = BRACKETED.exec(key)?.[1] as Parameter | undefined;
    if (name === undefined) continue;
    const index = key.slice(name.length + 1, -1);
    if (index === '') found.push({ name, order: -1, members: membersOf(record[key]) });
    else if (INDEX.test(index)) {
      found.push({ name, order: Number(index), members: [record[key]] });
    } else found.push({ name, order: MAX_INDEX + 1, members: [undefined] });
  }
  found.sort((a, b) => a.order - b.order);
  const lists: Partial<Record<Parameter, unknown[]>> = {};
  for (const { name, members } of found) {
    const list = (lists[name] ??= [...membersOf(query[name])]);
    for (const member of members) list.push(member);
  }
  return { ...query, ...lists };
}

/** Returns the first string, or a number if the caller passed one. */
export function readSoleValue(
  kind: 'page' | 'limit' | 'search',
  wire: unknown,
  findings: Findings,
): string | number | undefined {
  if (typeof wire === 'string' || typeof wire === 'number') return wire;
  const members = membersOf(wire);
  const texts = members.filter((member) => typeof member === 'string');
  if (texts.length < members.length)
    findings.drop({ kind, reason: 'malformed', expected: 'string' });
  if (texts.length > 1) findings.drop({ kind, reason: 'duplicate', expected: 'one value' });
  return texts[0];
}
