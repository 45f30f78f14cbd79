import type { Caller } from '../../serve/call/caller.js';
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

/** Finds a tool by name. Returns undefined if it does not exist or is hidden from the caller. */
export type FindTool = (name: string, caller: Caller) => Awaitable<Tool | undefined>;

/**
 * Builds `search_tools`, `read_tool` and `call_tool`. Leaves out a runner that has no tool to call.
 * @param tools every tool that the runners can call
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
      isIndirect: true,
      definition: searchToolsDefinition(
        maxResults,
        runners.map(({ runner }) => runner),
      ),
      async run(args, { caller }) {
        const query = toolQueryOf(args, maxResults);
        return foundResult(query, await search.find(query, caller.request));
      },
    },
    ...runners.map(({ runner, own }) => ({
      isIndirect: true,
      definition: runnerDefinition(runner, own),
      redact: redactAllButName,
      run: async ({ name }: JsonObject, { caller }: Peer) =>
        isSearchTool(String(name))
          ? errorResult(`${runner} cannot run ${String(name)}. Call ${String(name)} directly.`)
          : notCalled(runner, await find(String(name), caller), String(name)),
    })),
  ];
}

/**
 * Redacts the arguments of a runner call that did not become a tool call. The arguments were not
 * checked against a schema, so every value except `name` may be a secret.
 */
const redactAllButName: Redaction = <T>(args: T) =>
  Object.fromEntries(
    Object.entries(args as JsonObject).map(([key, value]) => [
      key,
      key === 'name' && typeof value === 'string' ? value : REDACTED,
    ]),
  ) as T;

/** Formats results as Markdown, because JSON needs about twice as many tokens. */
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
 * Explains why a runner call did not become a tool call. See `rewriteCall`.
 * @throws RequestFault if the caller has no such tool
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
      ? 'The Mcp-Name header and the message contain different tool names.'
      : `"${tool.name}" is ${right === READ_TOOL ? '' : 'not '}read-only. Run it with ${right}.`,
  );
}

/**
 * Formats a tool as Markdown. It contains everything that a model needs for a call. The Markdown is
 * about half as long as the tool's JSON.
 */
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
