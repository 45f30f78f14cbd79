import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type EventStream, onceClosed } from './event-stream.js';

/**
 * A request as the web knows it, without its body, which was read already. Its signal fires when the
 * client goes away.
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
  // Of no meaning: nothing is ever resolved against this URL, and a caller may send any target.
  return new Request('http://localhost/', {
    method: request.method ?? 'GET',
    headers,
    signal: gone.signal,
  });
}

/** Sends a web response over Node's. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  // HTTP/2 has no such header, and Node warns of it (RFC 9113 §8.2.2).
  delete headers['connection'];
  response.writeHead(answer.status, headers);
  if (answer.body === null) {
    response.end();
    return;
  }
  response.flushHeaders();
  await pipeBody(answer.body, response);
}

/** Sends a web response on a stream that has begun: its events, or its JSON as the last event. */
export async function endWithWebResponse(
  answer: Response,
  stream: EventStream,
  response: ServerResponse,
): Promise<void> {
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream && answer.body !== null) {
    await pipeBody(answer.body, response);
    return;
  }
  const json = await answer.text();
  stream.end(...(json === '' ? [] : [json]));
}

async function pipeBody(
  web: NonNullable<Response['body']>,
  response: ServerResponse,
): Promise<void> {
  // Node's own stream, also where a dependency's types make it the browser's.
  const body = Readable.fromWeb(web as NodeStream);
  // A client that goes away ends the stream early; that is its right and no failure.
  await pipeline(body, response).catch(() => undefined);
}
