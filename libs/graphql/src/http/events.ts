import { EventStream, eventText } from '@fledge/core/packages';
import type { ExecutionResult, GraphQLFormattedError } from 'graphql';
import type { ServerResponse } from 'node:http';
import { asGraphqlError } from '../operation/formatted-error.js';
import type { OperationResult } from './runtime.js';

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
export async function writeEvents(
  res: ServerResponse,
  result: OperationResult,
  { heartbeatMs, format, failed }: EventOptions,
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

  async function send({ errors, ...rest }: ExecutionResult): Promise<void> {
    if (errors !== undefined && !hasFailed) {
      hasFailed = true;
      failed();
    }
    const payload = errors === undefined ? rest : { ...rest, errors: errors.map(format) };
    if (!stream.write(eventText('next', JSON.stringify(payload)))) await stream.drained();
  }
}
