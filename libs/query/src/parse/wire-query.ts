/** The parameters as the server decoded them. Clients can produce any shape. */
export interface WireQuery {
  readonly filter: unknown;
  readonly where: unknown;
  readonly sort: unknown;
  readonly fields: unknown;
  readonly page: unknown;
  readonly after: unknown;
  readonly before: unknown;
  readonly limit: unknown;
  readonly q: unknown;
}

/**
 * Finds the parameters in each shape that servers decode. `filter=a&filter=b` gives an array, or an object with indices
 * as keys if it is long. `filter[]=a` and `filter[0]=a` give an array under `filter`, or separate keys. Separate keys
 * are merged: `filter`, then `filter[]`, then `filter[0]`, `filter[1]`, and so on. The extended parser of Express
 * merges them itself, in the order of the URL.
 */
export function wireQueryOf(query: unknown): WireQuery {
  const wire = emptyWire();
  if (typeof query !== 'object' || query === null) return wire;
  const record = query as Readonly<Record<keyof WireQuery, unknown>>;
  let bracketed: string[] | undefined;
  // One pass over the keys, and reads by constant names: this part takes a quarter of the parsing time.
  for (const key of Object.keys(record)) {
    if (!readParameter(wire, record, key) && key.endsWith(']')) (bracketed ??= []).push(key);
  }
  return bracketed === undefined ? wire : withBracketed(wire, record, bracketed);
}

type MutableWireQuery = { -readonly [Name in keyof WireQuery]: unknown };

function emptyWire(): MutableWireQuery {
  return {
    filter: undefined,
    where: undefined,
    sort: undefined,
    fields: undefined,
    page: undefined,
    after: undefined,
    before: undefined,
    limit: undefined,
    q: undefined,
  };
}

/** Returns false for a key that is no parameter. */
function readParameter(
  wire: MutableWireQuery,
  record: Readonly<Record<keyof WireQuery, unknown>>,
  key: string,
): boolean {
  switch (key) {
    case 'filter':
      wire.filter = record.filter;
      return true;
    case 'where':
      wire.where = record.where;
      return true;
    case 'sort':
      wire.sort = record.sort;
      return true;
    case 'fields':
      wire.fields = record.fields;
      return true;
    case 'page':
      wire.page = record.page;
      return true;
    case 'after':
      wire.after = record.after;
      return true;
    case 'before':
      wire.before = record.before;
      return true;
    case 'limit':
      wire.limit = record.limit;
      return true;
    case 'q':
      wire.q = record.q;
      return true;
    default:
      return false;
  }
}

/** The members of a repeatable parameter. Members that are not text are malformed; other keys give `undefined`. */
export function membersOf(value: unknown): readonly unknown[] {
  if (value === undefined) return NONE;
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  return Object.entries(value).map(([key, member]) =>
    INDEX.test(key) ? (member as unknown) : undefined,
  );
}

const NONE: readonly unknown[] = [];
const FOREIGN: readonly unknown[] = [undefined];
const MAX_INDEX = 999_999_999;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;
const BRACKETED = /^(filter|where|sort|fields|page|after|before|limit|q)\[/;

function withBracketed(
  wire: WireQuery,
  record: Readonly<Record<string, unknown>>,
  keys: readonly string[],
): WireQuery {
  const found: { name: keyof WireQuery; order: number; members: readonly unknown[] }[] = [];
  for (const key of keys) {
    const name = BRACKETED.exec(key)?.[1] as keyof WireQuery | undefined;
    if (name === undefined) continue;
    const index = key.slice(name.length + 1, -1);
    if (index === '') found.push({ name, order: -1, members: membersOf(record[key]) });
    else if (INDEX.test(index)) {
      found.push({ name, order: Number(index), members: [record[key]] });
    } else found.push({ name, order: MAX_INDEX + 1, members: FOREIGN });
  }
  found.sort((a, b) => a.order - b.order);
  const lists: Partial<Record<keyof WireQuery, unknown[]>> = {};
  for (const { name, members } of found) {
    const list = (lists[name] ??= [...membersOf(wire[name])]);
    for (const member of members) list.push(member);
  }
  return { ...wire, ...lists };
}
