import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EndpointOptions } from '../../mcp.defaults.js';
import type { McpResourceMetadata } from '../../options/auth-options.js';
import { metadataPathOf } from '../../well-known.js';
import type { MountedHandler } from './body-reader.js';
import { JSON_TYPE } from './http-reply.js';

/**
 * Returns handlers that serve the metadata of protected resources (RFC 9728). There are handlers
 * for each endpoint whose metadata this application serves. The documents are public and allow
 * every origin, because a client without a token finds the issuer in the document. Clients first
 * request the document for the endpoint's path, then the document for the resource's path, then the
 * document for the root (MCP 2025-11-25, Authorization). The root has the document of the first
 * endpoint.
 * @param scopes returns the scopes of everything that each endpoint publishes. Used if the metadata
 * does not contain scopes
 */
export function metadataHandlers(
  endpoints: readonly EndpointOptions[],
  scopes: () => readonly (readonly string[])[],
): readonly MountedHandler[] {
  const documents = endpoints.flatMap(({ auth, path }, i) =>
    auth?.metadata ? { path, metadata: auth.metadata, of: [i] } : [],
  );
  const shared = documents.map(({ metadata }) => ({
    path: new URL(metadata.resource).pathname,
    metadata,
    of: documents.flatMap((each) => (each.metadata.resource === metadata.resource ? each.of : [])),
  }));
  const root = shared.slice(0, 1).map((first) => ({ ...first, path: '/' }));

  const byPath = new Map<string, Document>();
  for (const document of [...documents, ...shared, ...root]) {
    const path = metadataPathOf(document.path);
    if (!byPath.has(path)) byPath.set(path, document);
  }
  return [...byPath].map(([path, { metadata, of }]) => ({
    path,
    handle: (request, response) => {
      const published = scopes();
      answer(
        request,
        response,
        jsonOf(metadata, [...new Set(of.flatMap((i) => published[i] ?? []))]),
      );
    },
  }));
}

/** A document, and the indexes of the endpoints that it describes. */
interface Document {
  readonly metadata: McpResourceMetadata;
  readonly of: readonly number[];
}

function jsonOf(metadata: McpResourceMetadata, scopes: readonly string[]): string {
  return JSON.stringify({
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    ...metadata,
  });
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
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'public, max-age=3600',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
