import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeader } from '../../messages/encoded-header.js';
import type { JsonRpcRequest } from '../../messages/json-rpc.js';
import type { RewrittenRequest } from '../../operations/extension.js';
import { isRecord } from '../../schema/json-schema.js';
import { CALL_TOOL, isSearchTool } from './search-tool.js';

/**
 * Turns a call of `call_tool` into the call of the tool that it names. Undefined if the request is no such call, and if
 * its `Mcp-Name` header (2026-07-28) has another name than `call_tool`: then `call_tool` reports what is wrong.
 */
export function rewriteCall(
  request: JsonRpcRequest,
  headers: IncomingHttpHeaders,
): RewrittenRequest | undefined {
  const { method, params } = request;
  if (method !== 'tools/call' || params?.['name'] !== CALL_TOOL) return undefined;
  if (!isRecord(params['arguments'])) return undefined;
  const nameHeader = headers['mcp-name'];
  if (nameHeader !== undefined && decodeHeader(String(nameHeader)) !== CALL_TOOL) return undefined;
  const { name, arguments: args, ...others } = params['arguments'];
  if (typeof name !== 'string' || isSearchTool(name) || Object.keys(others).length > 0) {
    return undefined;
  }
  if (args !== undefined && args !== null && !isRecord(args)) return undefined;
  const renamed = { ...request, params: { ...params, name, arguments: args ?? {} } };
  return { request: renamed, via: CALL_TOOL };
}
