import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { eventJson } from '@fledge/core/packages';
import { onceClosed } from './once-closed.js';

/**
 * Converts a request to a web `Request` without its body, which was already read. Its signal aborts when
 * the client disconnects.
 */
export function webRequestOf(request: IncomingMessage, response: ServerResponse): Request {
  const gone = new AbortController();
  onceClosed(response, () => {
    if (!response.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2) {
    headers.append(request.rawHeaders[i] as string, request.rawHeaders[i + 1] as string);
  }
  // The URL is never read, and a client may send any request target.
  return new Request('http://localhost/', {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
  });
}

/** Writes the body of a web `Response` to a response whose head is sent. */
export async function pipeBody(
  web: NonNullable<Response['body']>,
  response: ServerResponse,
): Promise<void> {
  // The cast is needed if a dependency's types declare the browser's stream.
  const body = Readable.fromWeb(web as NodeStream);
  // A client that disconnects ends the stream early. That is not an error.
  await pipeline(body, response).catch(() => undefined);
}

/** As `pipeBody()`, for a body of events. */
export async function pipeEvents(
  web: NonNullable<Response['body']>,
  response: ServerResponse,
): Promise<void> {
  const decoder = new TextDecoder();
  const escaping = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) =>
      controller.enqueue(Buffer.from(eventJson(decoder.decode(chunk, { stream: true })))),
  });
  await pipeBody(web.pipeThrough(escaping), response);
}
