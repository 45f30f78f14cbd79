import type { ServerResponse } from 'node:http';
import { isHttp2 } from './http2.js';
import { type Refusal, refusalJson } from '../messages/refusals.js';

export function refuse(response: ServerResponse, refusal: Refusal): void {
  const { status, headers } = refusal;
  const body = refusalJson(refusal);
  // Node warns of this header on HTTP/2, which has none (RFC 9113 §8.2.2).
  const { connection, ...others } = headers ?? {};
  response.writeHead(status, {
    ...others,
    ...(connection !== undefined && !isHttp2(response.req) && { connection }),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** `202 Accepted`: a notification or a response was taken. */
export function accept(response: ServerResponse): void {
  response.writeHead(202, { 'content-length': 0 });
  response.end();
}
