/** Calls a tool as an agent of revision 2026-07-28. */
export async function callTool(
  url: string,
  name: string,
  args: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'agent-runner', version: '0.8.2' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  await send(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    },
    message: { id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
  });
}

/** Opens a session as a client of revision 2025-11-25. */
export async function openSession(url: string): Promise<void> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.4' },
  };
  await send(url, { headers: {}, message: { id: 1, method: 'initialize', params } });
}

async function send(
  url: string,
  { headers, message }: { headers: Readonly<Record<string, string>>; message: object },
): Promise<void> {
  const response = await fetch(`${url}/_mcp/messages`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer demo-token-ada',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  await response.text();
}
