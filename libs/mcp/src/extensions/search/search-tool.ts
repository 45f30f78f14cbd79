import type { Tool } from '../../catalogue/tool.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { RewrittenRequest } from '../../operations/extension.js';
import type { LocalToolDefinition } from '../../operations/local-items.js';
import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeader } from '../../messages/headers.js';
import type { JsonRpcRequest } from '../../messages/json-rpc.js';
import { isRecord } from '../../schema/json-schema.js';

// The two tools that stand for the tools that are not listed. FastMCP uses the same names.

export const SEARCH_TOOLS = 'search_tools';
export const CALL_TOOL = 'call_tool';

/** True for the name of a tool that search adds. */
export function isSearchTool(name: string): boolean {
  return name === SEARCH_TOOLS || name === CALL_TOOL;
}

/**
 * Claude Code loads the definitions of tools on demand. It has these at once, because it would have to search
 * for the search otherwise.
 */
export const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** The number of tools in a result if the call gives no `limit`. */
export function fewResults(maxResults: number): number {
  return Math.min(5, maxResults);
}

export function searchToolsDefinition(maxResults: number): LocalToolDefinition {
  return {
    name: SEARCH_TOOLS,
    description:
      'Finds the tools of this server that its list leaves out. Returns their names, descriptions and ' +
      `parameters. Run a tool that you found with ${CALL_TOOL}.`,
    inputSchema: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          description:
            'Words for what the tool does and what it works on, or its name. Empty: every tool',
        },
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: maxResults,
          default: fewResults(maxResults),
          description: 'Most tools to return',
        },
        offset: {
          type: 'integer',
          minimum: 0,
          default: 0,
          description: 'Tools to skip, for more of them',
        },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    _meta: ALWAYS_LOADED,
  };
}

/** @param tools every tool that it can call */
export function callToolDefinition(
  tools: readonly Pick<Tool, 'annotations'>[],
): LocalToolDefinition {
  return {
    name: CALL_TOOL,
    description: `Runs a tool of this server by its name. Find its name and parameters with ${SEARCH_TOOLS}.`,
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Name of the tool' },
        arguments: {
          type: 'object',
          description: `Arguments of the tool, as ${SEARCH_TOOLS} describes its parameters`,
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: hintsOfAny(tools.map(({ annotations }) => annotations)),
    _meta: ALWAYS_LOADED,
  };
}

/**
 * Hints that hold for a call of any of these tools. Where a tool says nothing, the defaults of the
 * specification apply: it may destroy data and use other systems (MCP 2025-11-25, `ToolAnnotations`).
 */
export function hintsOfAny(tools: readonly McpToolAnnotations[]): McpToolAnnotations {
  const changing = tools.filter(({ readOnlyHint }) => readOnlyHint !== true);
  const openWorldHint = tools.some((hints) => hints.openWorldHint !== false);
  if (changing.length === 0) return { readOnlyHint: true, idempotentHint: true, openWorldHint };
  return {
    readOnlyHint: false,
    destructiveHint: changing.some(({ destructiveHint }) => destructiveHint !== false),
    idempotentHint: changing.every(({ idempotentHint }) => idempotentHint === true),
    openWorldHint,
  };
}

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
