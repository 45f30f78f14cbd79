import { isObject } from '@fledge-internal/options';
import { acceptedRanges, acceptedWeight, charsetIn, mediaTypeOf } from '@fledge/core/packages';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentRequest } from '../operation/served-schema.js';
import { GRAPHQL_TYPE, JSON_TYPE, type JsonType, Refusal, refuse } from './status.js';

/** A request of Node or Express with its parsed body. */
export type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** A request, its response, and the media types that the client accepts. */
export interface Exchange {
  readonly req: ParsedRequest;
  readonly res: ServerResponse;
  readonly accepted: Accepted;
}

/**
 * A well-formed request for one operation. It may contain the id of a document instead of the text.
 */
export interface OperationRequest extends DocumentRequest {
  readonly query: string | null | undefined;
  readonly operationName: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
}

/** Returns true if the method of a request only reads. */
export function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Reads the parameters of a request from the URL or from the JSON body (GraphQL over HTTP,
 * "Request"). For a batch, reads the parameters of each operation.
 * @param batchLimit maximum number of operations in a batch. If undefined, batches are rejected
 */
export function readRequest(
  { req, accepted }: Exchange,
  batchLimit: number | undefined,
): OperationRequest | Refusal | (OperationRequest | Refusal)[] {
  if (accepted.json === undefined && accepted.stream === undefined) return notAcceptable();
  if (isSafe(req)) return readUrl(req.url ?? '');
  const body = readBody(req);
  if (body instanceof Refusal) return body;
  if (batchLimit === undefined || !Array.isArray(body)) return readParameters(body);
  return accepted.json === undefined ? notAcceptable() : readBatch(body, batchLimit);
}

function notAcceptable(): Refusal {
  return refuse('notAcceptable', `Send an Accept header with ${GRAPHQL_TYPE} or ${JSON_TYPE}`);
}

function readBatch(
  operations: readonly unknown[],
  limit: number,
): Refusal | (OperationRequest | Refusal)[] {
  const { length } = operations;
  if (length === 0) return malformed('A batch must contain at least one operation');
  if (length <= limit) return operations.map(readParameters);
  return malformed(`A batch may have at most ${limit} operations, but this batch has ${length}`);
}

/**
 * Returns the JSON body of a POST request. A body parser may have stored it as parsed JSON or as
 * text.
 */
function readBody({ method, headers, body }: ParsedRequest): unknown {
  if (method !== 'POST') {
    return refuse('unsupportedMethod', `The method ${method} is not supported`);
  }
  const type = headers['content-type'];
  if (mediaTypeOf(type) !== JSON_TYPE || !/^utf-?8$/i.test(charsetIn(type) ?? 'utf-8')) {
    return refuse('unsupportedType', 'Send an application/json body in UTF-8');
  }
  // For an empty body, Express' parser stores an empty object.
  const isEmpty = body === undefined || body === '' || headers['content-length'] === '0';
  if (isEmpty) return refuse('unparsable', 'Missing body', 'BAD_REQUEST');
  return typeof body === 'string' ? parse(body, 'Unparsable JSON body') : body;
}

/** Checks the parameters of one operation. Ignores unknown parameters. */
function readParameters(given: unknown): OperationRequest | Refusal {
  if (!isObject(given)) return malformed('JSON body must be an object');
  const { query, operationName, variables, extensions, documentId } = given;
  if (!isText(query)) return malformed('Invalid query');
  if (!isText(operationName)) return malformed('Invalid operationName');
  if (!isMap(variables)) return malformed('Invalid variables');
  if (!isMap(extensions)) return malformed('Invalid extensions');
  // Some clients send an empty name for an operation without a name.
  return { query, operationName: operationName || undefined, variables, extensions, documentId };
}

/** Reads the parameters from a URL. An empty parameter counts as missing. */
function readUrl(url: string): OperationRequest | Refusal {
  const search = new URLSearchParams(url.split('?')[1]);
  const variables = parse(search.get('variables') || 'null', 'Unparsable URL');
  const extensions = parse(search.get('extensions') || 'null', 'Unparsable URL');
  if (variables instanceof Refusal) return variables;
  if (extensions instanceof Refusal) return extensions;
  return readParameters({
    query: search.get('query'),
    operationName: search.get('operationName'),
    documentId: search.get('documentId') ?? undefined,
    variables,
    extensions,
  });
}

function parse(text: string, message: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return refuse('unparsable', message, 'BAD_REQUEST');
  }
}

function isText(value: unknown): value is string | null | undefined {
  return value == null || typeof value === 'string';
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> | null | undefined {
  return value == null || isObject(value);
}

function malformed(message: string): Refusal {
  return refuse('malformed', message, 'BAD_REQUEST');
}

/** The media types that a client accepts, by its `Accept` header. */
export interface Accepted {
  /** Undefined if the client accepts none of the JSON types. */
  readonly json: JsonType | undefined;
  /** Set if the client accepts event streams: `preferred` over JSON, or only `possible`. */
  readonly stream: 'preferred' | 'possible' | undefined;
}

const STREAM_TYPE = 'text/event-stream';
const ANYTHING: Accepted = { json: JSON_TYPE, stream: undefined };

type Ranges = ReturnType<typeof acceptedRanges>;

/**
 * Reads an `Accept` header (RFC 9110 §12.5.1). If the header is missing or contains only wildcards,
 * the client receives JSON.
 */
export function readAccept(accept: string | undefined): Accepted {
  if (!accept || accept === '*/*') return ANYTHING;
  const found = known.get(accept);
  if (found !== undefined) return found;
  const ranges = acceptedRanges(accept);
  const read: Accepted = { json: jsonTypeIn(ranges), stream: streamIn(ranges) };
  if (known.size < MAX_KNOWN) known.set(accept, read);
  return read;
}

/**
 * Results are cached. Clients send few different headers, and parsing a header takes about a tenth
 * of the time of a small request.
 */
const known = new Map<string, Accepted>();
const MAX_KNOWN = 100;

function jsonTypeIn(ranges: Ranges): JsonType | undefined {
  const graphql = acceptedWeight(ranges, GRAPHQL_TYPE);
  const json = acceptedWeight(ranges, JSON_TYPE);
  if (graphql === 0 && json === 0) return undefined;
  if (graphql !== json) return graphql > json ? GRAPHQL_TYPE : JSON_TYPE;
  // If both types have the same weight, the first type in the header is used.
  const named = ranges.find(([range]) => range === GRAPHQL_TYPE || range === JSON_TYPE);
  return named?.[0] === GRAPHQL_TYPE ? GRAPHQL_TYPE : JSON_TYPE;
}

const JSON_RANGES = new Set<string>([GRAPHQL_TYPE, JSON_TYPE, 'application/*', '*/*']);

/**
 * A wildcard does not request a stream. If weights are equal, the first type in the header is
 * preferred.
 */
function streamIn(ranges: Ranges): Accepted['stream'] {
  const stream = ranges.find(([range]) => range === STREAM_TYPE);
  if (stream === undefined || stream[1] === 0) return undefined;
  const best = ranges
    .filter(([range]) => range === STREAM_TYPE || JSON_RANGES.has(range))
    .reduce((first, next) => (next[1] > first[1] ? next : first));
  return best === stream ? 'preferred' : 'possible';
}
