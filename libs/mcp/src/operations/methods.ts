import type { Texts } from '../arguments/text-arguments.js';
import { listFormOf, type Peer } from '../calls/peer.js';
import { mcpRequestOf } from '../calls/caller.js';
import type { PublishedList } from '../catalogue/published-list.js';
import { ErrorCode, type JsonObject, RequestFault, shortened } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import type { Answer } from './answer.js';
import type { CompletionRequest } from './completer.js';
import type { Operations } from './operations.js';
import type { ToolCaller } from './tool-caller.js';

/**
 * Handles a request whose parameters an SDK has validated.
 * @throws RequestFault
 */
export type McpMethod = (params: JsonObject, peer: Peer) => Promise<Answer<object>>;

/** Handlers of the methods that every revision has. Methods for which nothing is published are left out. */
export function methodsOf(operations: Operations): ReadonlyMap<string, McpMethod> {
  const { tools, resources, prompts, completer, capabilities } = operations;
  const methods = new Map<string, McpMethod>([
    ['tools/list', toolListMethod(tools)],
    [
      'tools/call',
      async ({ name, arguments: args }, peer) => {
        const tool = await tools.find(String(name), peer.caller);
        if (!tool) throw new RequestFault(ErrorCode.InvalidParams, tools.unknown(String(name)));
        return await tools.call(tool, objectOf(args), peer);
      },
    ],
  ]);
  if (capabilities.resources) {
    methods
      .set('resources/list', listMethod(resources.catalogue.resources))
      .set('resources/templates/list', listMethod(resources.catalogue.templates))
      .set('resources/read', ({ uri }, peer) => resources.read(String(uri), peer));
  }
  if (capabilities.prompts) {
    methods
      .set('prompts/list', listMethod(prompts.published))
      .set('prompts/get', ({ name, arguments: args }, peer) =>
        prompts.get(String(name), objectOf(args) as Texts, peer),
      );
  }
  if (capabilities.completions) {
    methods.set('completion/complete', (params, peer) =>
      completer.complete(completionRequestOf(params), peer),
    );
  }
  return methods;
}

function completionRequestOf({ ref, argument, context }: JsonObject): CompletionRequest {
  const known = isRecord(context) ? objectOf(context['arguments']) : {};
  return { ref, argument, known } as unknown as CompletionRequest;
}

/** Member of `_meta` in a `tools/list` request that asks for every tool. `fledge mcp list` sends it too. */
export const EVERY_TOOL = 'fledge/everyTool';

/** Extensions may shorten the list, unless the request asks for every tool. */
function toolListMethod({ listed, published }: ToolCaller): McpMethod {
  const [short, whole] = [listMethod(listed), listMethod(published)];
  return (params, peer) => {
    const { _meta: meta } = params;
    return isRecord(meta) && meta[EVERY_TOOL] === true ? whole(params, peer) : short(params, peer);
  };
}

/** The first page of a list, or the page behind a cursor (MCP 2025-11-25, Pagination). */
function listMethod(list: Pick<PublishedList<never>, 'json' | 'page'>): McpMethod {
  return async ({ cursor }, peer) => {
    const request = mcpRequestOf(peer.caller);
    const form = listFormOf(peer);
    const json =
      typeof cursor === 'string'
        ? await list.page(request, cursor, form)
        : await list.json(request, form);
    if (json === undefined) {
      throw new RequestFault(
        ErrorCode.InvalidParams,
        `Unknown cursor: ${shortened(String(cursor))}. Send the nextCursor of an earlier page, or none`,
      );
    }
    return { kind: 'result', result: JSON.parse(json.toString()) as object };
  };
}

function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}
