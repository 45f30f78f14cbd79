// Traces a tool call of each client generation.
import { send } from './send.mjs';

export const packages = ['mcp', 'core'];

const VERSIONS = ['2025-11-25', '2026-07-28'];
const CLIENT = { name: 'trace-call', version: '1.0.0' };
const TOOL = { name: 'notes_get', arguments: { id: '1' } };

/** Returns the calls to trace by name. */
export async function open(base) {
  const url = `${base}/_mcp/messages`;
  const calls = {
    [VERSIONS[0]]: await openSession(url),
    [VERSIONS[1]]: () => callWithoutSession(url),
  };
  return { calls, close: () => undefined };
}

async function openSession(url) {
  const { headers } = await sendMessage(url, {
    method: 'initialize',
    params: { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT },
  });
  const session = { 'mcp-session-id': headers['mcp-session-id'] };
  return () => sendMessage(url, { method: 'tools/call', params: TOOL }, session);
}

function callWithoutSession(url) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSIONS[1],
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return sendMessage(
    url,
    { method: 'tools/call', params: { ...TOOL, _meta } },
    { 'mcp-protocol-version': VERSIONS[1], 'mcp-method': 'tools/call', 'mcp-name': TOOL.name },
  );
}

function sendMessage(url, message, headers = {}) {
  const accept = 'application/json, text/event-stream';
  return send(url, { jsonrpc: '2.0', id: 1, ...message }, { accept, ...headers });
}
