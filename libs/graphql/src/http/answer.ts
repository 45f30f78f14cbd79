import { EventStream, eventText } from '@fledge/core/packages';
import { HttpException, HttpStatus } from '@nestjs/common';
import type { ExecutionResult } from 'graphql';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationProtection, ServedSchema } from '../operation/served-schema.js';
import { type Exchange, isSafe, readAccept } from './read.js';
import type { OperationResult } from './runtime.js';
import { type Head, JSON_TYPE, type Outcome, Refusal } from './status.js';

/** The response to one operation as JSON, and how the operation ended. */
export interface JsonAnswer {
  readonly outcome: Outcome;
  readonly json: string;
}

/** Returns the response to one operation. Its errors are formatted for clients. */
export function answerOf(
  result: ExecutionResult | Refusal,
  protection: OperationProtection,
): JsonAnswer {
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
  { req, res }: Pick<Exchange, 'req' | 'res'>,
  { status, statusText, type, headers }: Head,
  json: string,
): void {
  res.statusCode = status;
  if (statusText !== undefined) res.statusMessage = statusText;
  res.setHeader('content-type', `${type}; charset=utf-8`);
  for (const name in headers) res.setHeader(name, headers[name]!);
  if (isSafe(req)) varyByAccept(res);
  res.end(json);
}

/**
 * Tells caches to store a separate response for each value of `Accept`. The explorer may already
 * have set this header.
 */
function varyByAccept(res: ServerResponse): void {
  if (!/\baccept\b(?!-)|\*/i.test(String(res.getHeader('vary') ?? ''))) {
    res.appendHeader('vary', 'Accept');
  }
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
function withFormattedErrors(result: ExecutionResult, protection: OperationProtection): object {
  const { errors } = result;
  if (errors === undefined) return result;
  return { ...result, errors: errors.map((error) => protection.format(error)) };
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
  const status: number =
    error instanceof HttpException ? error.getStatus() : HttpStatus.INTERNAL_SERVER_ERROR;
  // If the connection is closed, the rest of the body does not have to be read (RFC 9110 §15.5.14).
  if (status === Number(HttpStatus.PAYLOAD_TOO_LARGE)) res.setHeader('connection', 'close');
  const { json: type = JSON_TYPE } = readAccept(req.headers.accept);
  const json = JSON.stringify({ errors: [protection.format(asGraphqlError(error))] });
  writeJson({ req, res }, { status, type }, json);
}
