import { mcpRequestOf } from '../../calls/caller.js';
import type { Tool } from '../../catalogue/tool.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { LocalTool } from '../../operations/local-items.js';
import { errorResult, type ToolResult } from '../../operations/tool-result.js';
import { REDACTED, type Redaction } from '../../schema/redaction.js';
import {
  CALL_TOOL,
  callToolDefinition,
  fewResults,
  isSearchTool,
  searchToolsDefinition,
} from './search-tool.js';
import type { FoundTools, ToolQuery, ToolSearch } from './tool-search.js';
import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import { parametersText } from './parameter-text.js';

/**
 * `search_tools` and `call_tool`.
 * @param tools every tool that `call_tool` can call
 */
export function searchTools(
  search: ToolSearch,
  maxResults: number,
  tools: readonly Tool[],
): readonly LocalTool[] {
  return [
    {
      definition: searchToolsDefinition(maxResults),
      async run(args, { caller }) {
        const query = toolQueryOf(args, maxResults);
        return foundResult(query, await search.find(query, mcpRequestOf(caller)));
      },
    },
    {
      definition: callToolDefinition(tools),
      redact: redactAllButName,
      run: ({ name }) => notCalled(String(name)),
    },
  ];
}

/**
 * The arguments of a `call_tool` that did not become the call of a tool. They were checked against no schema, so
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

/** Why `call_tool` did not become a call of the tool that it names. See `rewrite-call.ts`. */
function notCalled(name: string): ToolResult {
  return errorResult(
    isSearchTool(name)
      ? `${CALL_TOOL} does not run ${name}. Call ${name} by its name.`
      : 'The Mcp-Name header names another tool than the message.',
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
