import { compile } from 'path-to-regexp';
import type { QueryParser } from '../routes/query-parser.js';
import type { Route } from '../routes/route.js';
import type { OperationInput } from '../schema/operation-input.js';
import { ArgumentError } from '../mcp.errors.js';
import { assertRead, isPlain, pathSegment, pathSegments, queryStringOf } from './url-parts.js';

/** The HTTP request a tool call becomes. */
export interface RouteRequest {
  readonly method: string;
  /** Path and query, percent-encoded. */
  readonly url: string;
  /** Names and values in turn, as in `IncomingMessage.rawHeaders`. */
  readonly headers: readonly string[];
  readonly body: Buffer | undefined;
  /** For the extractor of custom versioning. */
  readonly version: string | undefined;
}

/** A route, and where each of its arguments goes. */
interface RouteWithInput {
  readonly route: Route;
  readonly input: OperationInput;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** @throws ArgumentError naming the argument that cannot become part of the request */
export type RequestBuilder = (args: Arguments) => RouteRequest;

/**
 * What turns arguments into the request of one operation: everything that does not depend on the
 * arguments is worked out here, once. The route is fixed; arguments fill its path parameters, its
 * query and its JSON body, and reach nothing else.
 * @param parser what the application reads queries with
 */
export function requestBuilderOf(operation: RouteWithInput, parser: QueryParser): RequestBuilder {
  const { route, input } = operation;
  const pathOf = pathBuilderOf(operation);
  const inQuery = pickerOf(input, 'query');
  const inBody = pickerOf(input, 'body');
  const headers = headersOf(route);
  const version = route.version.kind === 'custom' ? route.version.value : undefined;

  return (args) => {
    const path = pathOf(args);
    const entries = inQuery(args);
    const query = queryStringOf(entries);
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
  const fill = compile(route.path, { encode: false });
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
        throw new ArgumentError(argument, 'is missing: it is part of the path');
      }
      values[name] =
        kind === 'segment' ? pathSegment(argument, value) : pathSegments(argument, value).join('/');
    }
    return fill(values);
  };
}

/** Headers of every call of an operation. `Accept` carries the version where media types do. */
function headersOf({ version }: Route): string[] {
  switch (version.kind) {
    case 'media-type':
      return ['accept', `application/json;${version.parameter}`];
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

function bodyOf(
  { route: { consumes }, input }: RouteWithInput,
  fieldsOf: Picker,
  args: Arguments,
): Content | undefined {
  switch (input.body) {
    case 'none':
      return undefined;
    case 'fields': {
      const fields = fieldsOf(args);
      // Of a form's parsers some read objects, some do not; JSON is read by all.
      return consumes === FORM && isPlain(fields)
        ? { type: FORM, bytes: Buffer.from(queryStringOf(fields)) }
        : json(Object.fromEntries(fields), consumes);
    }
    case 'whole': {
      const value = fieldsOf(args)[0]?.[1];
      if (value === undefined) return undefined;
      // A JSON parser in strict mode refuses a bare string; as text it is what the caller meant.
      return typeof value === 'string'
        ? { type: 'text/plain; charset=utf-8', bytes: Buffer.from(value) }
        : json(value, consumes);
    }
  }
}

const FORM = 'application/x-www-form-urlencoded';

/** A value as JSON, under the route's own media type where that is one of JSON's (RFC 6839 §3.1). */
function json(value: unknown, consumes: string): Content {
  return {
    type: consumes.endsWith('+json') ? consumes : 'application/json',
    bytes: Buffer.from(stringify(value)),
  };
}

/** A parser reads any depth, a writer does not: V8 recurses to write and runs out of stack. */
function stringify(value: unknown): string {
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

type Picker = (args: Arguments) => [name: string, value: unknown][];

/** Picks the arguments that go to the query or to the body, each under its name there. */
function pickerOf({ places, rest }: OperationInput, target: 'query' | 'body'): Picker {
  const named = places.filter((candidate) => candidate.target === target);
  const known = new Set(places.map(({ argument }) => argument));
  return (args) => {
    const found: [string, unknown][] = [];
    for (const { argument, name } of named) {
      const value = own(args, argument);
      if (value !== undefined) found.push([name, value]);
    }
    if (rest === target) found.push(...Object.entries(args).filter(([name]) => !known.has(name)));
    return found;
  };
}

/** An argument of the caller's; never what an object inherits. */
function own(args: Arguments, argument: string): unknown {
  return Object.hasOwn(args, argument) ? args[argument] : undefined;
}
