import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { metadataPathsOf } from '../well-known.js';
import type { MountedHandler } from './shortcut.js';

/**
 * Handlers that serve the metadata of the protected resource, if this application serves it (RFC 9728).
 * They are public and allow every origin, because clients without a token read there who issues tokens.
 * @param scopes of everything published; used if the metadata lists none
 */
export function metadataHandlers(
  { auth, endpoint }: ResolvedMcpOptions,
  scopes: () => readonly string[],
): readonly MountedHandler[] {
  const { metadata } = auth ?? {};
  if (!metadata) return [];
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const published = scopes();
    const body = JSON.stringify({
      ...(published.length > 0 && { scopes_supported: published }),
      bearer_methods_supported: ['header'],
      ...metadata,
    });
    answer(request, response, body);
  };
  return metadataPathsOf(metadata.resource, endpoint).map((path) => ({ path, handle }));
}

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const readable = request.method === 'GET' || request.method === 'HEAD';
  const preflight = request.method === 'OPTIONS';
  response.setHeader('access-control-allow-origin', '*');
  if (preflight) response.setHeader('access-control-allow-headers', '*');
  if (!readable) {
    response.writeHead(preflight ? 204 : 405, { allow: 'GET, HEAD, OPTIONS' });
    response.end();
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'public, max-age=3600',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
