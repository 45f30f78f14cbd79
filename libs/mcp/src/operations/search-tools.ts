import { type Caller, mcpRequestOf } from '../calls/caller.js';
import type {
  ArgumentValidator,
  ArgumentValidatorCompiler,
} from '../arguments/argument-validator.js';
import type { JsonObject } from '../messages/json-rpc.js';
import { type Redaction, REDACTED, redactionOf } from '../schema/redaction.js';
import { CALL_TOOL, fewResults, isSearchTool, SEARCH_TOOLS } from '../search/search-tool.js';
import type { ToolQuery, ToolSearch } from '../search/tool-search.js';
import { toolText } from '../search/tool-text.js';
import { errorResult, type ToolResult } from './tool-result.js';

/** A tool that the server itself answers: it has no route. */
export interface SearchTool {
  readonly kind: 'search';
  readonly name: string;
  readonly scopes: readonly string[];
  readonly redact: Redaction;
  readonly redactResult: Redaction;
  run(args: JsonObject, caller: Caller): Promise<ToolResult>;
}

/** `search_tools` and `call_tool`, by name. */
export function searchToolsOf(
  search: ToolSearch,
  validatorOf: ArgumentValidatorCompiler,
): ReadonlyMap<string, SearchTool> {
  const [searching, calling] = search.definitions;
  const validateSearch = validatorOf(searching.inputSchema, new Set(['query', 'limit', 'offset']));
  const validateCall = validatorOf(calling.inputSchema, new Set(['arguments']));
  return new Map([
    [
      SEARCH_TOOLS,
      searchTool(
        SEARCH_TOOLS,
        validateSearch,
        (args, caller) => searched(search, args, caller),
        redactionOf(searching.inputSchema, []),
      ),
    ],
    [
      CALL_TOOL,
      searchTool(
        CALL_TOOL,
        validateCall,
        ({ name }) => Promise.resolve(notCalled(String(name))),
        onlyName,
      ),
    ],
  ]);
}

function searchTool(
  name: string,
  validate: ArgumentValidator,
  run: SearchTool['run'],
  redact: Redaction,
): SearchTool {
  return {
    kind: 'search',
    name,
    scopes: [],
    redact,
    redactResult: (result) => result,
    run(args, caller) {
      const fault = validate(args);
      if (fault === undefined) return run(args, caller);
      return Promise.resolve(errorResult(`Invalid arguments for "${name}": ${fault}`));
    },
  };
}

/**
 * The arguments of a `call_tool` that did not become the call of a tool. They were checked against no schema, so
 * every other value may be a secret.
 */
const onlyName: Redaction = <T>(args: T) =>
  Object.fromEntries(
    Object.entries(args as JsonObject).map(([key, value]) => [
      key,
      key === 'name' && typeof value === 'string' ? value : REDACTED,
    ]),
  ) as T;

/** Markdown, because the same tools as JSON take a model about twice as many tokens. */
async function searched(search: ToolSearch, args: JsonObject, caller: Caller): Promise<ToolResult> {
  const asked = toolQueryOf(args, search.maxResults);
  const { tools, hasMore } = await search.find(asked, mcpRequestOf(caller));
  const next = asked.offset + tools.length;
  const texts = [
    ...(tools.length === 0 ? ['No tools matched the query.'] : tools.map(toolText)),
    ...(hasMore ? [`More tools match: search again with offset ${next}.`] : []),
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

/** Why `call_tool` did not become a call of the tool that it names. See `messages/directed-call.ts`. */
function notCalled(name: string): ToolResult {
  return errorResult(
    isSearchTool(name)
      ? `${CALL_TOOL} does not run ${name}. Call ${name} by its name.`
      : 'The Mcp-Name header names another tool than the message.',
  );
}
