import { eventJson } from '@fledge/core/packages';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import type { ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationResult } from './runtime.js';

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies and compressing middleware would hold events back.
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** A comment. Browsers and clients ignore it. */
const COMMENT = ':\n\n';

/** How events are written. */
export interface EventOptions {
  /** Milliseconds between two comments, so that proxies do not close a silent stream. */
  readonly heartbeatMs: number;
  readonly format: (error: Error) => GraphQLFormattedError;
  /** Called once, if an event has errors. */
  readonly failed: () => void;
}

/**
 * Answers with a result, or with each event of a stream, and ends (GraphQL over SSE, distinct connections:
 * PROTOCOL.md of graphql-sse). Reads the next event when the client has taken the one before it.
 */
export async function sendEvents(
  res: ServerResponse,
  result: OperationResult,
  { heartbeatMs, format, failed }: EventOptions,
): Promise<void> {
  let hasFailed = false;
  res.writeHead(200, HEADERS);
  res.write(COMMENT);
  const heartbeat = setInterval(() => {
    if (isOpen(res) && !res.writableNeedDrain) res.write(COMMENT);
  }, heartbeatMs);
  heartbeat.unref();
  try {
    if (Symbol.asyncIterator in result) for await (const event of result) await send(event);
    else await send(result);
  } catch (error) {
    await send({ errors: [asGraphqlError(error)] });
  } finally {
    clearInterval(heartbeat);
  }
  if (isOpen(res)) res.end('event: complete\ndata:\n\n');

  async function send({ errors, ...rest }: ExecutionResult): Promise<void> {
    if (errors !== undefined && !hasFailed) {
      hasFailed = true;
      failed();
    }
    const payload = errors === undefined ? rest : { ...rest, errors: errors.map(format) };
    if (!isOpen(res)) return;
    if (!res.write(`event: next\ndata: ${eventJson(JSON.stringify(payload))}\n\n`))
      await drained(res);
  }
}

function isOpen(res: ServerResponse): boolean {
  return !res.destroyed && !res.writableEnded;
}

/** Resolves when the client has taken what was written, or has left. */
function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
}
