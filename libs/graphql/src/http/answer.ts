import { acceptedRanges, acceptedWeight, EventStream, eventText } from '@fledge/core/packages';
import { HttpException } from '@nestjs/common';
import { type ExecutionResult, type FormattedExecutionResult, GraphQLError } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asGraphqlError, codedError } from '../operation/formatted-error.js';
import type { OperationProtection, ServedSchema } from '../operation/served-schema.js';
import type { OperationResult } from './runtime.js';

export const GRAPHQL_TYPE = 'application/graphql-response+json';
export const JSON_TYPE = 'application/json';

type JsonType = typeof GRAPHQL_TYPE | typeof JSON_TYPE;

/** The statuses for clients that accept `application/graphql-response+json`, or only JSON. */
interface Answered {
  readonly graphql: number;
  readonly json: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The possible outcomes of a request (GraphQL over HTTP, first release, September 2026, "Status
 * Codes"). If the client accepts only JSON, a well-formed request gets 200, because such clients
 * treat an error status as a network failure.
 */
const OUTCOMES = {
  /** The result has `data` without `errors`. */
  data: { graphql: 200, json: 200 },
  /** The result has `data` and `errors`. `data` may be null. */
  partialData: { graphql: 294, json: 200 },
  unsupportedMethod: { graphql: 405, json: 405, headers: { allow: 'GET, HEAD, POST' } },
  mutationByGet: { graphql: 405, json: 405, headers: { allow: 'POST' } },
  unsupportedType: { graphql: 415, json: 415, headers: { accept: JSON_TYPE } },
  notAcceptable: { graphql: 406, json: 406 },
  unparsable: { graphql: 400, json: 400 },
  /** A parameter is missing or has the wrong type. */
  malformed: { graphql: 422, json: 422 },
  /**
   * The id of the document is unknown. The client sends the request again with the text. This is a
   * protocol of Apollo, not of the specification, and Apollo iOS sends the text only after a 2xx
   * status. The response must not be cached, because the document may be known at the next request.
   */
  unknownDocument: { graphql: 200, json: 200, headers: { 'cache-control': 'no-store' } },
  refusedDocument: { graphql: 400, json: 400, headers: { 'cache-control': 'no-store' } },
  syntaxError: { graphql: 400, json: 200 },
  /** The document breaks a rule or exceeds a limit. */
  invalid: { graphql: 422, json: 200 },
  /** No operation has the requested name, or there are several and the request has no name. */
  unknownOperation: { graphql: 422, json: 200 },
  unsupportedOperation: { graphql: 422, json: 200 },
  /** A result without `data`, because the variables are invalid. */
  invalidVariables: { graphql: 422, json: 200 },
} satisfies Record<string, Answered>;

/** How a request ended. Determines the status and the headers of the response. */
export type Outcome = keyof typeof OUTCOMES;

/**
 * Returns true if an outcome counts as an error. An unknown document does not count, because the
 * client repeats the request with the document's text.
 */
export function isError(outcome: Outcome): boolean {
  return outcome !== 'data' && outcome !== 'unknownDocument';
}

interface Head {
  readonly status: number;
  readonly type: JsonType;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function headOf(outcome: Outcome, accepted: JsonType, jsonStatus: 'ok' | 'exact'): Head {
  const { graphql, json, headers }: Answered = OUTCOMES[outcome];
  if (accepted === JSON_TYPE && (jsonStatus === 'ok' || graphql < 300)) {
    return { status: json, type: JSON_TYPE, headers };
  }
  return { status: graphql, type: GRAPHQL_TYPE, headers };
}

/** Rejects a request, so it is not executed. */
export class Refusal extends Error {
  constructor(
    readonly outcome: Outcome,
    readonly errors: readonly GraphQLError[],
  ) {
    super();
  }
}

export function refuse(outcome: Outcome, message: string, code?: string): never {
  throw new Refusal(outcome, [code ? codedError(message, code) : new GraphQLError(message)]);
}

/** The media types that a client accepts, by its `Accept` header. */
export interface Accepted {
  /** Undefined if the client accepts none of the JSON types. */
  readonly json: JsonType | undefined;
  /** Set if the client accepts event streams: `preferred` over JSON, or only `possible`. */
  readonly stream: 'preferred' | 'possible' | undefined;
}

const STREAM_TYPE = 'text/event-stream';
type Ranges = ReturnType<typeof acceptedRanges>;

/**
 * Reads an `Accept` header (RFC 9110 §12.5.1). If the header is missing or contains only wildcards,
 * the client receives JSON.
 */
export function readAccept(header: string | undefined): Accepted {
  const accept = header || '*/*';
  const found = known.get(accept);
  if (found !== undefined) return found;
  const ranges = acceptedRanges(accept);
  const read: Accepted = { json: jsonTypeIn(ranges), stream: streamIn(ranges) };
  if (known.size < 100) known.set(accept, read);
  return read;
}

/**
 * Results are cached. Clients send few different headers, and parsing a header takes about a tenth
 * of the time of a small request.
 */
const known = new Map<string, Accepted>();

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

/** Returns true if the method of a request only reads. */
export function isSafe({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Node.js prints a warning if a response has parts that HTTP/2 does not have. */
function isHttp2({ httpVersionMajor }: IncomingMessage): boolean {
  return httpVersionMajor === 2;
}

/** Returns the outcome of an operation, and its response with errors formatted for clients. */
export function answerOf(result: ExecutionResult | Refusal, protection: OperationProtection) {
  const sent = result instanceof Refusal ? { errors: result.errors } : result;
  const json = JSON.stringify(withFormattedErrors(sent, protection));
  return { outcome: outcomeOf(result), json };
}

function outcomeOf(result: ExecutionResult | Refusal): Outcome {
  if (result instanceof Refusal) return result.outcome;
  // Without `data`, graphql-js has executed nothing.
  if (result.data === undefined) return 'invalidVariables';
  return result.errors?.length ? 'partialData' : 'data';
}

/** Writes a JSON response. Replaces the status that middleware has set. */
export function writeJson(
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  { status, type, headers }: Head,
  json: string,
): void {
  res.statusCode = status;
  // Node.js has no reason phrase for this status. HTTP/2 has no reason phrases.
  if (status === OUTCOMES.partialData.graphql && !isHttp2(req)) {
    res.statusMessage = 'Partial Success';
  }
  res.setHeader('content-type', `${type}; charset=utf-8`);
  for (const name in headers) res.setHeader(name, headers[name]!);
  // Caches must store a separate response for each value of `Accept`. The explorer may already have
  // set this header.
  if (isSafe(req) && !/\baccept\b(?!-)|\*/i.test(String(res.getHeader('vary') ?? ''))) {
    res.appendHeader('vary', 'Accept');
  }
  // Node.js sets this header, but servers of serverless platforms do not.
  res.setHeader('content-length', Buffer.byteLength(json));
  res.end(json);
}

/**
 * Writes a result or the events of a stream. Then ends the response (GraphQL over SSE, distinct
 * connections mode: PROTOCOL.md of graphql-sse). Reads the next event only when the client has
 * received the previous event. If events contain errors, the stream counts as one error.
 * @param heartbeatMs milliseconds between two comments. Proxies would close a stream without data
 */
export async function writeEvents(
  res: ServerResponse,
  result: OperationResult,
  heartbeatMs: number,
  { protection, counts }: Pick<ServedSchema, 'protection' | 'counts'>,
): Promise<void> {
  let hasFailed = false;
  const stream = new EventStream(res, { heartbeatMs });
  try {
    if (Symbol.asyncIterator in result) for await (const event of result) await send(event);
    else await send(result);
  } catch (error) {
    await send({ errors: [asGraphqlError(error)] });
  } finally {
    stream.end('event: complete\ndata:\n\n');
  }

  async function send(event: ExecutionResult): Promise<void> {
    if (event.errors !== undefined && !hasFailed) {
      hasFailed = true;
      counts.failed();
    }
    const text = JSON.stringify(withFormattedErrors(event, protection));
    if (!stream.write(eventText('next', text))) await stream.drained();
  }
}

/** Returns a result with its errors formatted for clients. */
export function withFormattedErrors(
  result: ExecutionResult,
  protection: OperationProtection,
): FormattedExecutionResult {
  const errors = result.errors?.map((error) => protection.format(error));
  return errors ? { ...result, errors } : (result as FormattedExecutionResult);
}

/**
 * Writes `{ errors }` for a request that failed before the operation ran, or while the response was
 * written. The status is the status of an HttpException, or else 500.
 */
export function answerError(
  req: IncomingMessage,
  res: ServerResponse,
  error: unknown,
  protection: OperationProtection,
): void {
  // Part of the response was already sent. A closed connection shows the client that the response
  // is incomplete.
  if (res.headersSent) return void res.destroy();
  const status = error instanceof HttpException ? error.getStatus() : 500;
  const { json: type = JSON_TYPE } = readAccept(req.headers.accept);
  const json = JSON.stringify({ errors: [protection.format(asGraphqlError(error))] });
  writeJson({ req, res }, { status, type }, json);
}
