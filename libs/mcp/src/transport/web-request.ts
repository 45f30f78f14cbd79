import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { onceClosed } from './once-closed.js';

/**
 * The web's form of a request, without its body, which was read already. Its signal aborts when the client
 * disconnects.
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
  // The URL is never read; a caller may send any target.
  return new Request('http://localhost/', {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
  });
}

/** Sends the body of a web response on a response whose head is sent. */
export async function pipeBody(
  web: NonNullable<Response['body']>,
  response: ServerResponse,
): Promise<void> {
  // Node's own stream, also where a dependency's types make it the browser's.
  const body = Readable.fromWeb(web as NodeStream);
  // A client that disconnects ends the stream early, which is no failure.
  await pipeline(body, response).catch(() => undefined);
}
