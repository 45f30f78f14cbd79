import { type Caller, mcpRequestOf } from '../../serve/call/caller.js';
import type { Peer } from '../../serve/call/peer.js';
import type { Awaitable } from '../../publish/catalogue/published-list.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import {
  ErrorCode,
  type JsonObject,
  RequestFault,
  shortened,
} from '../../serve/protocol/json-rpc.js';
import type { LocalTool } from '../../serve/methods/local-items.js';
import { errorResult, type ToolResult } from '../../serve/results/tool-result.js';
import { REDACTED, type Redaction } from '../../publish/schema/redaction.js';
import {
  CALL_TOOL,
  fewResults,
  FIND_NAMES,
  isSearchTool,
  READ_TOOL,
  runnerDefinition,
  type RunnerName,
  runnerOf,
  searchToolsDefinition,
} from './search-tool.js';
import type { FoundTools, ToolQuery, ToolSearch } from './tool-search.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import { parametersText } from './parameter-text.js';

/** Finds the tool that a call names. Undefined if it does not exist or is hidden from the caller. */
export type FindTool = (name: string, caller: Caller) => Awaitable<Tool | undefined>;

/**
 * `search_tools`, then `read_tool` and `call_tool`. Of the last two, those that have a tool to run.
 * @param tools every tool that they can run
 */
export function searchTools(
  search: ToolSearch,
  maxResults: number,
  tools: readonly Tool[],
  find: FindTool,
): readonly LocalTool[] {
  const runners = ([READ_TOOL, CALL_TOOL] as const).flatMap((runner) => {
    const own = tools.filter((tool) => runnerOf(tool) === runner);
    return own.length === 0 ? [] : { runner, own };
  });
  return [
    {
      definition: searchToolsDefinition(
        maxResults,
        runners.map(({ runner }) => runner),
      ),
      async run(args, { caller }) {
        const query = toolQueryOf(args, maxResults);
        return foundResult(query, await search.find(query, mcpRequestOf(caller)));
      },
    },
    ...runners.map(({ runner, own }) => ({
      definition: runnerDefinition(runner, own),
      redact: redactAllButName,
      run: async ({ name }: JsonObject, { caller }: Peer) =>
        isSearchTool(String(name))
          ? errorResult(`${runner} does not run ${String(name)}. Call ${String(name)} by its name.`)
          : notCalled(runner, await find(String(name), caller), String(name)),
    })),
  ];
}

/**
 * The arguments of a call that did not become the call of a tool. They were checked against no schema, so
 * every other value may be a secret.
 */
const redactAllButName: Redaction = <T>(args: T) =>
  Object.fromEntries(
    Object.entries(args as JsonObject).map(([key, value]) => [
      key,
      key === 'name' && typeof value === 'string' ? value : REDACTED,
    ]),
  ) as T;

/** Markdown, because the same tools as JSON take a model about twice as many tokens. */
function foundResult({ offset }: ToolQuery, { tools, hasMore }: FoundTools): ToolResult {
  const texts = [
    ...(tools.length === 0 ? ['No tools matched the query.'] : tools.map(toolText)),
    ...(hasMore ? [`More tools match: search again with offset ${offset + tools.length}.`] : []),
  ];
  return { content: [{ type: 'text', text: texts.join('\n\n') }], isError: false };
}

function toolQueryOf({ query, limit, offset }: JsonObject, maxResults: number): ToolQuery {
  return {
    query: (query as string | null | undefined) ?? '',
    limit: (limit as number | null | undefined) ?? fewResults(maxResults),
    offset: (offset as number | null | undefined) ?? 0,
  };
}

/**
 * Why a call did not become the call of the tool that it names. See `rewriteCall`.
 * @throws RequestFault if there is no such tool for the caller
 */
function notCalled(runner: RunnerName, tool: Tool | undefined, name: string): ToolResult {
  if (tool === undefined) {
    throw new RequestFault(
      ErrorCode.InvalidParams,
      `Unknown tool: ${shortened(name)}. ${FIND_NAMES}`,
    );
  }
  const right = runnerOf(tool);
  return errorResult(
    right === runner
      ? 'The Mcp-Name header names another tool than the message.'
      : `"${tool.name}" is ${right === READ_TOOL ? '' : 'not '}read-only. Run it with ${right}.`,
  );
}

/** A tool in Markdown, with everything that a model needs to call it. About half the size of its JSON. */
function toolText({ name, description, annotations, inputSchema }: Tool): string {
  return [
    `### ${name}`,
    description.trim(),
    ...hintsOf(annotations),
    parametersText(inputSchema),
  ].join('\n');
}

function hintsOf(hints: McpToolAnnotations): string[] {
  const said = [
    ...(hints.readOnlyHint ? ['Read-only'] : []),
    ...(hints.destructiveHint ? ['Destructive'] : []),
    ...(hints.idempotentHint && !hints.readOnlyHint ? ['Idempotent'] : []),
    ...(hints.openWorldHint ? ['Uses other systems'] : []),
  ];
  return said.length === 0 ? [] : [`${said.join('. ')}.`];
}
