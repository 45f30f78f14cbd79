import type { IncomingMessage, ServerResponse } from 'node:http';
import { PanelRefusal } from '../panel.errors.js';

const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sets the headers of each response, in place of those that the application's middleware set. */
export function protect(response: ServerResponse): void {
  for (const name of response.getHeaderNames()) {
    if (name.startsWith('access-control-')) response.removeHeader(name);
  }
  response.setHeader('content-security-policy', CSP);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cross-origin-opener-policy', 'same-origin');
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  response.setHeader('cache-control', 'no-store');
  response.end(bytes);
}

/** Sends a refusal: as JSON to programs, as text to a browser that opens the page. */
export function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, code, message, allow }: PanelRefusal,
): void {
  if (allow !== undefined) response.setHeader('allow', allow);
  if (request.headers['sec-fetch-dest'] !== 'document') {
    return sendJson(response, status, { code, message });
  }
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('cache-control', 'no-store');
  response.end(`${message}\n\n${code}\n`);
}
