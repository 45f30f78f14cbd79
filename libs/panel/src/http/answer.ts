import type { IncomingMessage, ServerResponse } from 'node:http';
import { PanelRefusal } from '../panel.errors.js';

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', bytes.length);
  response.setHeader('cache-control', 'no-store');
  response.end(bytes);
}

/** Sends a rejection. Programs receive JSON. A browser that opens the page receives plain text. */
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
