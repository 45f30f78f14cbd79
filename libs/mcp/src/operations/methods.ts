import type { Caller } from '../calls/caller.js';
import type { Peer } from '../calls/peer.js';
import { abortable } from './abortable.js';
import type { CompletionRequest } from './completer.js';
import { ErrorCode, type JsonObject, RequestFault } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import type { Operations } from './operations.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { Texts } from '../arguments/text-arguments.js';
import { unknownTool } from './tool-caller.js';

/** Who sent a request, and what it can be told meanwhile. */
export interface RequestContext {
  readonly caller: Caller;
  readonly peer: Peer;
  readonly signal: AbortSignal;
}

/**
 * Answers a request whose parameters an SDK has judged well-formed. Undefined where the peer has a
 * demand instead.
 * @throws RequestFault
 */
export type McpMethod = (
  params: JsonObject,
  context: RequestContext,
) => Promise<object | undefined>;

/** The requests both eras know, as far as the application has something to answer. */
export function methodsOf(service: Operations): ReadonlyMap<string, McpMethod> {
  const { tools, resources, prompts, completer, capabilities } = service;
  const methods = new Map<string, McpMethod>([
    ['tools/list', async (_, { caller }) => parsed(await tools.listJson(caller))],
    [
      'tools/call',
      async ({ name, arguments: args }, { caller, peer, signal }) => {
        const call = await tools.call(String(name), objectOf(args), caller, peer);
        if (!call) throw new RequestFault(ErrorCode.InvalidParams, unknownTool(String(name)));
        return abortable(call, call.result, signal);
      },
    ],
  ]);
  if (capabilities.resources) {
    methods
      .set('resources/list', async (_, { caller }) => parsed(await resources.listJson(caller)))
      .set('resources/templates/list', async (_, { caller }) =>
        parsed(await resources.templatesJson(caller)),
      )
      .set('resources/read', ({ uri }, { caller, peer, signal }) =>
        resources.read(String(uri), caller, peer, signal),
      );
  }
  if (capabilities.prompts) {
    methods
      .set('prompts/list', async (_, { caller }) => parsed(await prompts.listJson(caller)))
      .set('prompts/get', ({ name, arguments: args }, { caller, peer, signal }) =>
        prompts.get(String(name), objectOf(args) as Texts, caller, peer, signal),
      );
  }
  if (capabilities.completions) {
    methods.set('completion/complete', (params, { caller, peer, signal }) =>
      completer.complete(completionRequestOf(params), caller, peer, signal),
    );
  }
  return methods;
}

function completionRequestOf({ ref, argument, context }: JsonObject): CompletionRequest {
  const known = isRecord(context) ? objectOf(context['arguments']) : {};
  return { ref, argument, known } as unknown as CompletionRequest;
}

function parsed(json: ListJson): object {
  return JSON.parse(json.toString()) as object;
}

function objectOf(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}
