import type { Wire } from './wire.js';

const MCP = 'io.modelcontextprotocol';

export interface ModernRequest {
  readonly method: string;
  readonly params?: Record<string, unknown>;
  /** Extensions that the client declares, by identifier. */
  readonly extensions?: Record<string, object>;
  readonly capabilities?: Record<string, object>;
  readonly headers?: Record<string, string | undefined>;
}

let lastId = 0;

/** Sends one request of 2026-07-28 with its envelope and headers, over plain HTTP. */
export function postModern(wire: Wire, request: ModernRequest): ReturnType<Wire['post']> {
  const { method, params = {}, extensions, capabilities = {}, headers } = request;
  const meta = {
    [`${MCP}/protocolVersion`]: '2026-07-28',
    [`${MCP}/clientInfo`]: { name: 'wire', version: '1.0.0' },
    [`${MCP}/clientCapabilities`]: { ...capabilities, ...(extensions && { extensions }) },
    ...(params['_meta'] as object | undefined),
  };
  const name = (params['name'] ?? params['uri'] ?? params['taskId']) as string | undefined;
  return wire.post(
    { jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta: meta } },
    {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name !== undefined && { 'mcp-name': name }),
      ...headers,
    },
  );
}
