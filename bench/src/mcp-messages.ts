/** Headers of a client of the revisions up to 2025-11-25. */
export const SESSION_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: 'Bearer bench',
} as const;

const clientInfo = { name: 'bench', version: '0.0.0' };

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

export interface McpMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Params = Readonly<Record<string, unknown>> & { readonly name?: string };

/** A request of revision 2025-11-25. */
export function sessionRequest(method: string, params: Params): McpMessage {
  return { body: json(method, params), headers: SESSION_HEADERS };
}

/** A request of revision 2026-07-28: what a session would know travels with it. */
export function statelessRequest(method: string, params: Params): McpMessage {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: json(method, { ...params, _meta }),
    headers: {
      ...SESSION_HEADERS,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
  };
}

function json(method: string, params: Params): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}
