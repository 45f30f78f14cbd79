import type { IncomingMessage, ServerResponse } from 'node:http';
import { originRefusal, type OriginRules } from './origin-check.js';

/** Seconds for which browsers keep the answer to a preflight. Chromium keeps none longer. */
const PREFLIGHT_SECONDS = '7200';

/**
 * CORS of an endpoint that the application's CORS does not reach: lets pages of accepted origins read its answers.
 * Returns true if the request was a preflight, which is answered.
 */
export function answerPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  rules: OriginRules,
): boolean {
  const { method, headers } = request;
  const { origin } = headers;
  if (origin === undefined) return false;
  response.setHeader('vary', 'Origin');
  if (originRefusal(request, rules) !== undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate');
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
  const names = headers['access-control-request-headers'];
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    ...(names !== undefined && { 'access-control-allow-headers': names }),
    'access-control-max-age': PREFLIGHT_SECONDS,
  });
  response.end();
  return true;
}
