import { byteLength } from '../format/number.js';
import { fetchOrExplain } from './panel-api.js';

/** A header to send. A header without a name is not sent. */
export interface Header {
  readonly name: string;
  readonly value: string;
}

export interface AppRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly Header[];
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface AppAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly bytes: number;
  readonly ms: number;
}

/** Sends a request to the application with the given headers. */
export async function sendToApp(request: AppRequest): Promise<AppAnswer> {
  const { url, method, headers, body, signal } = request;
  const began = performance.now();
  const response = await fetchOrExplain(url, {
    method,
    headers: fetchHeaders(headers),
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    text,
    bytes: byteLength(text),
    ms: performance.now() - began,
  };
}

/** @throws TypeError from the browser if HTTP does not allow a name or value */
function fetchHeaders(headers: readonly Header[]): Headers {
  const all = new Headers();
  for (const { name, value } of headers) if (name.trim() !== '') all.append(name.trim(), value);
  return all;
}
