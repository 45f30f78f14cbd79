import { pathFillerOf } from '../routes/path-parameters.js';
import type { QueryParser } from '../routes/query-parser.js';
import type { Route } from '../routes/route.js';
import type { ArgumentPlace, ListForm, OperationInput } from '../schema/operation-input.js';
import { ArgumentError } from '../../mcp.errors.js';
import { type Arguments, type Entries, own, type Picker, pickerOf } from './picked-arguments.js';
import {
  assertRead,
  DelimitedList,
  isOneName,
  isPlain,
  type ListSuffix,
  listSuffixOf,
  pathSegment,
  pathSegments,
  queryStringOf,
} from './url-parts.js';

/** The HTTP request of a call. */
export interface RouteRequest {
  readonly method: string;
  /** Path and query string, percent-encoded. */
  readonly url: string;
  /** Alternating names and values, as in `IncomingMessage.rawHeaders`. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
  /** The version of the route. Undefined unless the application uses custom versioning. */
  readonly version: string | undefined;
}

/** A route, and the place of each argument in its request. */
interface RouteWithInput {
  readonly route: Route;
  readonly input: OperationInput;
}

/**
 * Builds a request from arguments.
 * @throws ArgumentError with the name of the argument, if a request cannot contain the argument
 */
export type RequestBuilder = (args: Arguments) => RouteRequest;

/**
 * Returns a function that builds the request of one operation from arguments. Parts that are the
 * same for all arguments are computed only once. The route is fixed: arguments only set its path
 * parameters, query string and body.
 * @param parser the application's query string parser
 */
export function requestBuilderOf(operation: RouteWithInput, parser: QueryParser): RequestBuilder {
  const { route, input } = operation;
  const pathOf = pathBuilderOf(operation);
  const inQuery = pickerOf(input, 'query', (name) => isOneName(name, parser));
  const delimited = delimiterOf(input.places);
  const isForm = route.consumes === FORM;
  const inBody = pickerOf(input, 'body', (name) => !isForm || !name.includes('['));
  const headers = headersOf(route);
  const version = route.version.kind === 'custom' ? route.version.value : undefined;
  let suffix: ListSuffix | undefined;

  return (args) => {
    const path = pathOf(args);
    const entries = delimited(inQuery(args));
    // On Fastify, the application's parser is known only after startup.
    suffix ??= listSuffixOf(parser);
    const query = queryStringOf(entries, suffix);
    if (!isPlain(entries)) assertRead(entries, query, parser);
    const body = bodyOf(operation, inBody, args);
    return {
      method: route.verb,
      url: query === '' ? path : `${path}?${query}`,
      headers: body === undefined ? headers : withContent(headers, body),
      body: body?.bytes,
      version,
    };
  };
}

function pathBuilderOf({ route, input }: RouteWithInput): (args: Arguments) => string {
  const fill = pathFillerOf(route.path);
  const parameters = route.pathParameters.map((parameter) => ({
    ...parameter,
    argument:
      input.places.find(({ target, name }) => target === 'path' && name === parameter.name)
        ?.argument ?? parameter.name,
  }));

  return (args) => {
    const values: Record<string, string> = {};
    for (const { name, kind, optional, argument } of parameters) {
      const value = own(args, argument);
      if (value === undefined || value === null) {
        if (optional) continue;
        throw new ArgumentError(argument, 'is required, because it is part of the path');
      }
      values[name] =
        kind === 'segment' ? pathSegment(argument, value) : pathSegments(argument, value).join('/');
    }
    return fill(values);
  };
}

/**
 * Returns the headers for all calls of an operation. With media-type versioning, the header
 * `Accept` contains the version.
 */
function headersOf({ version }: Route): string[] {
  switch (version.kind) {
    case 'media-type':
      return ['accept', `application/json${version.parameter ? `;${version.parameter}` : ''}`];
    case 'header':
      return ['accept', 'application/json, */*;q=0.5', version.header, version.value];
    default:
      return ['accept', 'application/json, */*;q=0.5'];
  }
}

interface Content {
  readonly type: string;
  readonly bytes: Buffer;
}

/**
 * Builds the body. HTTP QUERY requires a body (RFC 10008 §2). If the route does not read a body,
 * the arguments are in the URL.
 */
function bodyOf(
  { route: { consumes, verb }, input }: RouteWithInput,
  fieldsOf: Picker,
  args: Arguments,
): Content | undefined {
  switch (input.body) {
    case 'none':
      return verb === 'QUERY' ? json({}, consumes) : undefined;
    case 'fields': {
      const fields = fieldsOf(args);
      // Some form parsers do not support objects, and a form cannot contain null or a list of one
      // item. Such a body is sent as JSON.
      return consumes === FORM &&
        isPlain(fields) &&
        !fields.some(([, value]) => isLostInForm(value))
        ? { type: FORM, bytes: Buffer.from(queryStringOf(fields)) }
        : json(Object.fromEntries(fields), consumes);
    }
    case 'whole': {
      const value = fieldsOf(args)[0]?.[1];
      if (value === undefined) return undefined;
      // A strict JSON parser rejects a string at the top level, so a string is sent as plain text.
      return typeof value === 'string'
        ? { type: 'text/plain; charset=utf-8', bytes: Buffer.from(value) }
        : json(value, consumes);
    }
  }
}

const FORM = 'application/x-www-form-urlencoded';

function isLostInForm(value: unknown): boolean {
  return value === null || (Array.isArray(value) && (value.length < 2 || value.includes(null)));
}

/**
 * Serializes a value as JSON. If the media type of the route ends with `+json`, it is kept (RFC
 * 6839 §3.1).
 */
function json(value: unknown, consumes: string): Content {
  return {
    type: consumes.endsWith('+json') ? consumes : 'application/json',
    bytes: Buffer.from(jsonOf(value)),
  };
}

/**
 * Serializes a value as JSON. `JSON.parse` accepts any depth, but `JSON.stringify` can overflow the
 * stack: on Node.js 26 only for values with `toJSON()`, before for all values.
 * @throws ArgumentError if the value is nested too deeply
 */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) throw new ArgumentError('body', 'is nested too deeply');
    throw error;
  }
}

function withContent(headers: readonly string[], { type, bytes }: Content): string[] {
  return [...headers, 'content-type', type, 'content-length', String(bytes.length)];
}

/**
 * Returns a function that serializes lists in the form that the route reads. The function returns
 * all other values unchanged.
 * @throws ArgumentError if an item contains the separator, because the route would split the item
 * in two
 */
function delimiterOf(places: readonly ArgumentPlace[]): (entries: Entries) => Entries {
  const forms = new Map(
    places.flatMap(({ target, name, argument, list }) =>
      target === 'query' && list ? [[name, { ...list, argument }] as const] : [],
    ),
  );
  if (forms.size === 0) return (entries) => entries;
  return (entries) =>
    entries.map(([name, value]) => {
      const form = forms.get(name);
      return [name, form && Array.isArray(value) ? written(value, form) : value];
    });
}

function written(
  items: readonly unknown[],
  { argument, separator, form }: ListForm & { readonly argument: string },
): unknown {
  const isSplit = form === 'joined' || items.length === 1;
  const hasSeparator = (item: unknown): boolean =>
    (typeof item === 'string' || typeof item === 'number') && String(item).includes(separator);
  const split = isSplit ? items.find(hasSeparator) : undefined;
  if (split !== undefined) {
    throw new ArgumentError(
      argument,
      `has the item ${shown(split)}. The route would read this item as several items, because ` +
        `the route splits the value at ${JSON.stringify(separator)}`,
    );
  }
  return form === 'joined' ? new DelimitedList(items, separator) : items;
}

function shown(item: unknown): string {
  const text = JSON.stringify(item) ?? '';
  return text.length <= 60 ? text : `${text.slice(0, 60)}...`;
}
