import type { Server } from './target.js';

export const MCP_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: 'Bearer bench',
} as const;

export const STATELESS_HEADERS = { ...MCP_HEADERS, 'mcp-protocol-version': '2026-07-28' } as const;

/** What every message of revision 2026-07-28 carries. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Opens sessions of revision 2025-11-25 and returns their ids. */
export async function openSessions(server: Server, path: string, count: number): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, () => openSession(server.url + path)));
}

async function openSession(url: string): Promise<string> {
  const answer = await post(url, MCP_HEADERS, {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'bench', version: '0.0.0' },
    },
  });
  const id = answer.headers.get('mcp-session-id');
  if (id === null) throw new Error(`No session at ${url}: ${answer.status} ${await answer.text()}`);
  await answer.text();
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  await (await post(url, { ...MCP_HEADERS, 'mcp-session-id': id }, initialized)).text();
  return id;
}

function post(url: string, headers: Record<string, string>, message: object): Promise<Response> {
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}
