import { HttpStatus, UnsupportedMediaTypeException } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { shortened } from '../parse/findings.js';
import { InvalidQueryError, type QueryProblem } from '../query.errors.js';
import { httpErrorOf } from './http-error.js';

/** The properties that requests of Express, Fastify and Node.js have in common. */
export interface ListRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** The properties that responses of Express, Fastify and Node.js have in common. */
export interface ListResponse {
  header?(name: string, value: string): unknown;
  setHeader?(name: string, value: string): unknown;
}

/**
 * The media types that lists accept in HTTP QUERY. JSON is first, because @fledge/mcp sends the
 * first one.
 */
export const QUERY_MEDIA_TYPES = ['application/json', 'application/x-www-form-urlencoded'];

const ACCEPTED = QUERY_MEDIA_TYPES.join(', ');
const CHOICE = QUERY_MEDIA_TYPES.join(' or ');

/** Requests whose `query` already contains the parameters from the body. */
const merged = new WeakSet<ListRequest>();

/**
 * Adds the parameters in the body of HTTP QUERY (RFC 10008) to `request.query`. `@Query()`,
 * `@Qs()`, `@Paginate()` and `ctx.qs()` read the parameters there. Also sets the `Accept-Query`
 * header. Requests of other methods are not changed.
 *
 * @throws UnsupportedMediaTypeException if the body has another media type
 * @throws BadRequestException if the body was not read, if it is not an object, if `Content-Type`
 * is missing, or if a parameter is in both the URL and the body. Otherwise, the response could
 * contain more rows
 */
export function readQueryBody(request: ListRequest, response: ListResponse): void {
  if (request.method !== 'QUERY' || merged.has(request)) return;
  setHeader(response, 'accept-query', ACCEPTED);
  const body = bodyOf(request);
  const inUrl = (request.query ?? {}) as object;
  refuseDuplicates(inUrl, body);
  // In Express 5, `query` is a getter, so it must be redefined.
  Object.defineProperty(request, 'query', {
    value: { ...inUrl, ...body },
    configurable: true,
    enumerable: true,
    writable: true,
  });
  merged.add(request);
}

function setHeader(response: ListResponse, name: string, value: string): void {
  if (response.header) response.header(name, value);
  else response.setHeader?.(name, value);
}

function bodyOf({ headers, body }: ListRequest): object {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === '') throw refused({ reason: 'malformed', expected: `Content-Type: ${CHOICE}` });
  if (!QUERY_MEDIA_TYPES.includes(type)) {
    throw new UnsupportedMediaTypeException({
      statusCode: HttpStatus.UNSUPPORTED_MEDIA_TYPE,
      message: `The body of the HTTP QUERY request has an unsupported media type. Send ${CHOICE}.`,
      error: 'Unsupported Media Type',
    });
  }
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  // Undefined if there is no body, or if the application has no body parser.
  throw refused({ reason: 'malformed', expected: 'an object with the parameters of the list' });
}

function refuseDuplicates(inUrl: object, body: object): void {
  const names = new Set(Object.keys(inUrl).map(nameOf));
  const twice = Object.keys(body).find((key) => names.has(nameOf(key)));
  if (twice === undefined) return;
  throw refused({
    field: shortened(nameOf(twice)),
    reason: 'duplicate',
    expected: 'the parameter either in the URL or in the body',
  });
}

/** Returns the name of a parameter without its brackets: `filter` for `filter[0]`. */
function nameOf(key: string): string {
  return key.split('[', 1)[0] as string;
}

function refused(problem: Omit<QueryProblem, 'kind'>): unknown {
  return httpErrorOf(new InvalidQueryError([{ kind: 'body', ...problem }]));
}
