import { isObject } from '@fledge-internal/options';
import {
  type BodyFault,
  charsetIn,
  isOwnOrigin,
  mediaTypeOf,
  readJsonBody,
} from '@fledge/core/packages';
import {
  BadRequestException,
  type HttpException,
  PayloadTooLargeException,
  UnsupportedMediaTypeException,
} from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocumentRequest } from '../operation/served-schema.js';
import { splitUrl } from '../split-url.js';
import { type Accepted, GRAPHQL_TYPE, isSafe, JSON_TYPE, refuse } from './answer.js';

/** A request of Node or Express. `body` is set if a parser has read it. */
export type BodyRequest = IncomingMessage & { body?: unknown };

/** A request, its response, and the media types that the client accepts. */
export interface Exchange {
  readonly req: BodyRequest;
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

/** Returns true for a JSON request that no parser has read. */
export function hasUnreadJson(req: BodyRequest): boolean {
  return (
    req.body === undefined &&
    req.method === 'POST' &&
    !req.readableEnded &&
    mediaTypeOf(req.headers['content-type']) === JSON_TYPE
  );
}

/** @throws UnsupportedMediaTypeException for the types that HTML forms of other sites can have */
export function refuseForm({ headers }: BodyRequest): void {
  const type = mediaTypeOf(headers['content-type']);
  if (!FORM_TYPES.includes(type)) return;
  throw new UnsupportedMediaTypeException(
    `Request bodies of type ${type} are not accepted. Send ${JSON_TYPE}.`,
  );
}

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Returns true if a mount may serve a request before the platform. Excludes requests from pages of
 * other origins, because such requests need the application's CORS. Excludes requests for event
 * streams, so the middleware of the application runs for them. But a runtime may also send an event
 * stream to a client that accepts any type.
 */
export function isOperation(req: BodyRequest): boolean {
  const { accept, origin, host } = req.headers;
  return (
    hasUnreadJson(req) &&
    (origin === undefined || isOwnOrigin(origin, host)) &&
    !/event-stream|multipart/i.test(accept ?? '')
  );
}

/**
 * Reads the body as JSON into `req.body`. If the body is empty, `req.body` stays undefined.
 * @param limit maximum bytes
 * @throws BadRequestException if the body is incomplete, or not valid JSON in its charset
 * @throws PayloadTooLargeException if the body is larger than the limit
 * @throws UnsupportedMediaTypeException for a compressed body or an unknown charset
 */
export function readJson(req: BodyRequest, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    readJsonBody(req, { limit }, (read) => {
      if (read.fault === undefined) req.body = read.body;
      if (read.fault === undefined || read.fault === 'empty') resolve();
      else reject(exceptionOf(read.fault, req, limit));
    });
  });
}

function exceptionOf(fault: BodyFault, { headers }: BodyRequest, limit: number): HttpException {
  switch (fault) {
    case 'too-large':
      return tooLarge(limit);
    case 'encoded':
      return new UnsupportedMediaTypeException(
        `The body is compressed (${headers['content-encoding']}). Send an uncompressed body.`,
      );
    case 'unknown-charset':
      return new UnsupportedMediaTypeException(
        'The charset of the body is unknown. Send the body in UTF-8.',
      );
    case 'gone':
      return new BadRequestException('The body ended before it was complete');
    default:
      return new BadRequestException('Unparsable JSON body');
  }
}

export function tooLarge(limit: number): PayloadTooLargeException {
  return new PayloadTooLargeException(`The body is larger than ${limit} bytes`);
}

/**
 * Reads the parameters of a request from the URL or from the JSON body (GraphQL over HTTP,
 * "Request"). For a batch, returns its operations, each for `readParameters`.
 * @param batchLimit maximum number of operations in a batch. If undefined, batches are rejected
 * @throws Refusal
 */
export function readRequest(
  { req, accepted: { json, stream } }: Exchange,
  batchLimit: number | undefined,
): OperationRequest | unknown[] {
  if (json === undefined && stream === undefined) notAcceptable();
  if (isSafe(req)) return readUrl(req.url ?? '');
  const body = readBody(req);
  if (batchLimit === undefined || !Array.isArray(body)) return readParameters(body);
  if (json === undefined) notAcceptable();
  const { length } = body;
  if (length === 0) malformed('A batch must contain at least one operation');
  if (length <= batchLimit) return body as unknown[];
  malformed(`A batch may have at most ${batchLimit} operations, but this batch has ${length}`);
}

function notAcceptable(): never {
  const message = `Send an Accept header with ${GRAPHQL_TYPE} or ${JSON_TYPE}`;
  refuse('notAcceptable', message, 'NOT_ACCEPTABLE');
}

/**
 * Returns the JSON body of a POST request. A body parser may have stored it as parsed JSON, as text
 * or as bytes.
 */
function readBody({ method, headers, body: stored }: BodyRequest): unknown {
  if (method !== 'POST') {
    refuse('unsupportedMethod', `The method ${method} is not supported`, 'METHOD_NOT_ALLOWED');
  }
  const type = headers['content-type'];
  if (mediaTypeOf(type) !== JSON_TYPE || !/^utf-?8$/i.test(charsetIn(type) ?? 'utf-8')) {
    refuse('unsupportedType', 'Send an application/json body in UTF-8', 'UNSUPPORTED_MEDIA_TYPE');
  }
  const body = Buffer.isBuffer(stored) ? stored.toString() : stored;
  // For an empty body, Express' parser stores an empty object.
  const isEmpty = body === undefined || body === '' || headers['content-length'] === '0';
  if (isEmpty) refuse('unparsable', 'Missing body', 'BAD_REQUEST');
  return typeof body === 'string' ? parse(body, 'Unparsable JSON body') : body;
}

/**
 * Checks the parameters of one operation. Ignores unknown parameters.
 * @throws Refusal
 */
export function readParameters(given: unknown): OperationRequest {
  if (!isObject(given)) malformed('JSON body must be an object');
  const { query, operationName, variables, extensions, documentId } = given;
  if (!isText(query)) malformed('Invalid query');
  if (!isText(operationName)) malformed('Invalid operationName');
  if (!isMap(variables)) malformed('Invalid variables');
  if (!isMap(extensions)) malformed('Invalid extensions');
  // Some clients send an empty name for an operation without a name.
  return { query, operationName: operationName || undefined, variables, extensions, documentId };
}

/** Reads the parameters from a URL. An empty parameter counts as missing. */
function readUrl(url: string): OperationRequest {
  const search = new URLSearchParams(splitUrl(url)[1]);
  return readParameters({
    query: search.get('query'),
    operationName: search.get('operationName'),
    documentId: search.get('documentId') ?? undefined,
    variables: jsonIn('variables'),
    extensions: jsonIn('extensions'),
  });

  function jsonIn(name: string): unknown {
    return parse(search.get(name) || 'null', `The parameter "${name}" is not valid JSON`);
  }
}

function parse(text: string, message: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    refuse('unparsable', message, 'BAD_REQUEST');
  }
}

function isText(value: unknown): value is string | null | undefined {
  return value == null || typeof value === 'string';
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> | null | undefined {
  return value == null || isObject(value);
}

function malformed(message: string): never {
  refuse('malformed', message, 'BAD_REQUEST');
}
