import { callerKey } from '../../serve/call/caller-key.js';
import type { ToolDraft } from '../../publish/catalogue/publishing-extension.js';
import type { ListEntry } from '../../publish/catalogue/published-list.js';
import type { Tool } from '../../publish/catalogue/tool.js';
import { McpOptionError } from '../../mcp.errors.js';
import type {
  ChangeResult,
  EndpointExtension,
  ExtendedEndpoint,
  McpExtension,
} from '../../serve/methods/extension.js';
import { placeOf } from '../../options/option-rules.js';
import { BODY } from '../../publish/schema/declared-output.js';
import { cutResult, keeper } from './overflow.js';
import { markedText, markUntrusted } from './untrusted.js';
import { partOf, ResultLinks } from './result-links.js';
import {
  refuseLargeResult,
  type ResolvedResult,
  type ResolvedToolResult,
  RESULT_OPTION,
  RESULT_TOOL_OPTION,
  type ResultLimit,
  type ResultOption,
  type ResultRules,
} from './result-options.js';

/**
 * Limits the size of results. The rest of a result is dropped, or clients read it through links.
 * Also marks untrusted content.
 */
export const result: McpExtension<
  ResultOption['result'],
  ResolvedResult,
  ResolvedToolResult,
  ResultRules
> = {
  name: 'result',
  option: RESULT_OPTION.result,
  scope: 'module',
  author: { tool: RESULT_TOOL_OPTION },

  publish(module, { place, responseBytes }) {
    refuseLargeResult(module.maxBytes, responseBytes, place);
    return {
      tool(draft, { result: own }) {
        const { maxBytes = module.maxBytes, overflow = module.overflow } = own ?? {};
        const at = placeOf('@McpTool', ` on ${draft.route.label}`).at('result');
        refuseLargeResult(maxBytes, responseBytes, at);
        const isLimited = maxBytes !== undefined && canBeCut(draft, own?.maxBytes);
        const limit = isLimited ? { maxBytes, overflow } : undefined;
        const untrusted = own?.untrusted ?? false;
        if (!limit && !untrusted) return undefined;
        return { data: { limit, untrusted }, ...(limit && sizeEntry(limit.maxBytes)) };
      },
    };
  },

  create(module, { tools, data }) {
    if (data.size === 0) return Promise.resolve(undefined);
    const hasLinks = [...data.values()].some(({ limit }) => limit?.overflow === 'link');
    const links = hasLinks ? new ResultLinks(module) : undefined;
    return Promise.resolve({
      ...(links && reading(links, { tools, data })),
      result: (tool, { limit }) => limit && limiting(links, tool, limit),
      finish: (_tool, { untrusted }) => (untrusted ? markUntrusted : undefined),
    });
  },
};

/**
 * Returns true if results of the tool can be shortened.
 * @throws McpOptionError if the tool sets a limit although its results cannot be shortened
 */
function canBeCut(draft: ToolDraft, own: number | undefined): boolean {
  const whole = sentWhole(draft);
  if (whole === undefined || own === undefined) return whole === undefined;
  throw new McpOptionError(
    `@McpTool({ result: { maxBytes } }) on ${draft.route.label} has no effect together with ` +
      `${whole}, because such a result is always sent complete. Remove one of the two options.`,
  );
}

/**
 * Maximum characters of a result that Claude Code accepts (2026-08-22). The first number applies
 * without an announcement, the second with an announcement.
 */
const INLINE_CHARACTERS = { unannounced: 50_000, most: 500_000 };

/** Announces that a result may be larger than Claude Code accepts by default. */
function sizeEntry(maxBytes: number): { readonly entry?: ListEntry } {
  if (maxBytes <= INLINE_CHARACTERS.unannounced) return {};
  const characters = Math.min(maxBytes, INLINE_CHARACTERS.most);
  return { entry: { _meta: { 'anthropic/maxResultSizeChars': characters } } };
}

/** Returns the option that prevents shortening the results of a tool. */
function sentWhole({ content, output }: ToolDraft): string | undefined {
  if (content === 'blocks') return "content: 'blocks'";
  return output?.source === 'explicit' ? 'outputSchema' : undefined;
}

/**
 * Serves the rest of a result to the caller that received the first part. The caller must still be
 * allowed to see the tool.
 */
function reading(
  links: ResultLinks,
  { tools, data }: Pick<ExtendedEndpoint<ResultRules>, 'tools' | 'data'>,
): Pick<EndpointExtension, 'capabilities' | 'resource'> {
  return {
    capabilities: { resources: {} },
    async resource(uri, caller) {
      const linked = links.find(uri, callerKey(caller));
      const tool = linked && (await tools.find(linked.tool, caller.request));
      if (!tool) return undefined;
      const mark = data.get(tool)?.untrusted ? (text: string) => markedText(text) : undefined;
      return { scopes: tool.scopes, read: () => partOf(uri, linked, mark) };
    },
  };
}

/**
 * Shortens results. For strict clients, the structured content contains a note about the omitted
 * part.
 */
function limiting(links: ResultLinks | undefined, tool: Tool, limit: ResultLimit): ChangeResult {
  return (whole, response, { peer }) => {
    const owner = () => ({ tool: tool.name, owner: callerKey(peer.caller) });
    const cut = cutResult(whole, limit.maxBytes, response, keeper(links, limit, whole, owner));
    if (cut === undefined) return whole;
    const isDeclared = tool.output?.source === 'declared' && !whole.isError;
    return isDeclared ? { ...cut.result, structuredContent: { [BODY]: cut.note } } : cut.result;
  };
}
