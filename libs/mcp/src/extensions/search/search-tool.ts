import { isObject, type Place } from '@fledge-internal/options';
import type { Tool } from '../../publish/catalogue/tool.js';
import type { ToolHints } from '../../publish/catalogue/tool-hints.js';
import type { RewrittenRequest } from '../../serve/methods/extension.js';
import { withParsedJson } from '../../serve/methods/json-arguments.js';
import type { LocalToolDefinition } from '../../serve/methods/local-items.js';
import type { IncomingHttpHeaders } from 'node:http';
import { decodeHeader } from '../../serve/revisions/2026-07-28/header-check.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { JsonRpcRequest } from '../../serve/protocol/json-rpc.js';

// Names of the search tools. The list contains them instead of all other tools. FastMCP uses two of
// these names.

const SEARCH_TOOLS = 'search_tools';
export const READ_TOOL = 'read_tool';
export const CALL_TOOL = 'call_tool';

/**
 * The name of a tool that calls other tools: `read_tool` for read-only tools, `call_tool` for all
 * others.
 */
export type RunnerName = typeof READ_TOOL | typeof CALL_TOOL;

/** Returns true for the name of a search tool. */
export function isSearchTool(name: string): boolean {
  return name === SEARCH_TOOLS || isRunner(name);
}

/**
 * @param place path of the option
 * @throws McpOptionError if a route has the name of a search tool
 */
export function refuseSearchNames(
  tools: readonly Pick<Tool, 'name' | 'route'>[],
  place: Place,
): void {
  const taken = tools.find(({ name }) => isSearchTool(name));
  if (taken === undefined) return;
  throw place.error(
    `adds a tool "${taken.name}", but ${taken.route.label} already has that name. Give the route another name: @McpTool({ name: '...' })`,
  );
}

function isRunner(name: unknown): name is RunnerName {
  return name === READ_TOOL || name === CALL_TOOL;
}

/** Advice for a call of an unknown tool, without a full stop at the end. */
export const FIND_NAMES = `Find the names of tools with ${SEARCH_TOOLS}`;

/** Returns the tool that calls tools with these hints. */
export function runnerOf({ annotations }: Pick<Tool, 'annotations'>): RunnerName {
  return annotations.readOnlyHint ? READ_TOOL : CALL_TOOL;
}

/**
 * Claude Code loads tool definitions on demand. If this field is set, it loads the definition of
 * the search tool at once.
 */
export const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true };

/** The number of tools in a result if the call sets no `limit`. */
export function fewResults(maxResults: number): number {
  return Math.min(5, maxResults);
}

/** @param runners the tools that can call the search results */
export function searchToolsDefinition(
  maxResults: number,
  runners: readonly RunnerName[],
): LocalToolDefinition {
  const advice =
    runners.length === 2
      ? `Use ${READ_TOOL} to run a read-only tool, and ${CALL_TOOL} to run any other tool.`
      : `Use ${runners.join('')} to run a tool.`;
  return {
    name: SEARCH_TOOLS,
    title: 'Search tools',
    description:
      'Finds tools of this server that are not in its tool list. Returns their names, ' +
      `descriptions and parameters. ${advice}`,
    inputSchema: searchSchema(maxResults),
    annotations: {
      title: 'Search tools',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: ALWAYS_LOADED,
  };
}

function searchSchema(maxResults: number): JsonSchema {
  return {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description:
          'Words that describe what the tool does, or its name. If empty, every tool is found',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: maxResults,
        default: fewResults(maxResults),
        description: `Maximum number of tools to return: 1 to ${maxResults}. Default: ${fewResults(maxResults)}`,
      },
      offset: {
        type: 'integer',
        minimum: 0,
        default: 0,
        description:
          'Number of tools to skip: 0 (the default) or more. Use it to read the next results',
      },
    },
    additionalProperties: false,
  };
}

const RUNNERS: Readonly<Record<RunnerName, { readonly title: string; readonly runs: string }>> = {
  [READ_TOOL]: { title: 'Run a read-only tool', runs: 'Runs a read-only tool of this server' },
  [CALL_TOOL]: {
    title: 'Run a tool that changes something',
    runs: 'Runs a tool of this server that is not read-only',
  },
};

const RUNNER_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name of the tool' },
    arguments: {
      type: 'object',
      description: `Arguments of the tool. ${SEARCH_TOOLS} returns its parameters`,
    },
  },
  required: ['name'],
  additionalProperties: false,
};

/** @param tools all tools that the runner can call */
export function runnerDefinition(
  runner: RunnerName,
  tools: readonly Pick<Tool, 'annotations'>[],
): LocalToolDefinition {
  const { title, runs } = RUNNERS[runner];
  return {
    name: runner,
    title,
    description: `${runs} by its name. Find its name and parameters with ${SEARCH_TOOLS}.`,
    inputSchema: RUNNER_SCHEMA,
    annotations: { title, ...hintsOfAny(tools.map(({ annotations }) => annotations)) },
    _meta: ALWAYS_LOADED,
  };
}

/** Returns the hints of a runner. They are true for a call of any of these tools. */
export function hintsOfAny(tools: readonly ToolHints[]): ToolHints {
  return {
    readOnlyHint: tools.every(({ readOnlyHint }) => readOnlyHint),
    destructiveHint: tools.some(({ destructiveHint }) => destructiveHint),
    idempotentHint: tools.every(({ idempotentHint }) => idempotentHint === true),
    openWorldHint: tools.some(({ openWorldHint }) => openWorldHint),
  };
}

/**
 * Converts a call of `read_tool` or `call_tool` to a call of the tool in its arguments. Returns
 * undefined for any other request. Also returns undefined in three error cases, which the runner
 * itself reports: if no route has that tool, if the other runner must call that tool, or if the
 * header `Mcp-Name` (2026-07-28) contains another name.
 * @param runnerFor returns the runner for a tool of a route
 */
export function rewriteCall(
  request: JsonRpcRequest,
  headers: IncomingHttpHeaders,
  runnerFor: (tool: string) => RunnerName | undefined,
): RewrittenRequest | undefined {
  const { method, params } = request;
  if (method !== 'tools/call' || !isRunner(params?.['name'])) return undefined;
  const via = params['name'];
  if (!isObject(params['arguments'])) return undefined;
  const nameHeader = headers['mcp-name'];
  if (nameHeader !== undefined && decodeHeader(String(nameHeader)) !== via) return undefined;
  const sent = withParsedJson(params['arguments'], RUNNER_SCHEMA);
  const { name, arguments: args, ...others } = sent;
  if (typeof name !== 'string' || isSearchTool(name) || Object.keys(others).length > 0) {
    return undefined;
  }
  // The hints of the runners are true only for tools of routes. All other tools are listed.
  if (runnerFor(name) !== via) return undefined;
  if (args !== undefined && args !== null && !isObject(args)) return undefined;
  const renamed = { ...request, params: { ...params, name, arguments: args ?? {} } };
  return { request: renamed, via };
}
