import { CALL_TOOL, isSearchTool } from '../search/search-tool.js';
import { isRecord } from '../schema/json-schema.js';
import type { ClientMessage, JsonObject, JsonRpcRequest } from './json-rpc.js';

/** A message that calls a tool through `call_tool`, as the call of that tool. */
type DirectedCall = Extract<ClientMessage, { kind: 'request' }>;

/**
 * Turns a call of `call_tool` into the call of the tool that it names. Everything behind this reads one kind of
 * call: visibility, scopes, validation, rounds of questions, records. Undefined if the message is no such
 * call; `call_tool` then says what is wrong with it.
 * @param nameHeader `Mcp-Name` of the request (2026-07-28). Another name than `call_tool` is left to be refused
 */
export function directedCall(
  client: ClientMessage | undefined,
  nameHeader: string | readonly string[] | undefined,
): DirectedCall | undefined {
  if (client?.kind !== 'request' || client.message.method !== 'tools/call') return undefined;
  const { params } = client.message;
  if (params?.['name'] !== CALL_TOOL || !isRecord(params['arguments'])) return undefined;
  if (nameHeader !== undefined && decoded(String(nameHeader)) !== CALL_TOOL) return undefined;
  const { name, arguments: args, ...others } = params['arguments'];
  if (typeof name !== 'string' || isSearchTool(name) || Object.keys(others).length > 0) {
    return undefined;
  }
  if (args !== undefined && args !== null && !isRecord(args)) return undefined;
  return { kind: 'request', message: named(client.message, params, name, args ?? {}) };
}

function named(
  message: JsonRpcRequest,
  params: JsonObject,
  name: string,
  args: JsonObject,
): JsonRpcRequest {
  return { ...message, params: { ...params, name, arguments: args } };
}

const ENCODED = /^=\?base64\?(.*)\?=$/;

/** The text of an `Mcp-Name` header, which may be encoded (MCP 2026-07-28, Streamable HTTP). */
function decoded(header: string): string {
  const base64 = ENCODED.exec(header.trim())?.[1];
  return base64 === undefined ? header.trim() : Buffer.from(base64, 'base64').toString();
}

/** The value of an `Mcp-Name` header for any name. */
export function nameHeaderOf(name: string): string {
  return `=?base64?${Buffer.from(name).toString('base64')}?=`;
}
