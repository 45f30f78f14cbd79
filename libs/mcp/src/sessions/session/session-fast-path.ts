import { listFormOf, type Peer } from '../../calls/peer.js';
import {
  type ClientMessage,
  ErrorCode,
  errorJson,
  type JsonObject,
  type RequestId,
  resultJson,
  resultParts,
} from '../../messages/json-rpc.js';
import type { BodyParts } from '../../messages/reply.js';
import type { CallableTool, ToolCaller } from '../../operations/tool-caller.js';
import { isRecord } from '../../schema/json-schema.js';

/** A well-formed request of a session, which is answered without the SDK. */
export type FastRequest =
  | { readonly method: 'tools/list' }
  | { readonly method: 'tools/call'; readonly name: string; readonly args: JsonObject };

/** Returns the request if it can be answered without the SDK. Undefined leaves the message to the SDK. */
export function fastRequestOf({ kind, message }: ClientMessage): FastRequest | undefined {
  if (kind !== 'request') return undefined;
  const { method, params } = message;
  if (method === 'tools/list') {
    return params === undefined || !('cursor' in params || '_meta' in params)
      ? { method }
      : undefined;
  }
  if (method !== 'tools/call' || params === undefined || 'task' in params) return undefined;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== 'string' || !isRecord(args) || !isPlainMeta(meta)) return undefined;
  return { method, name, args };
}

function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isRecord(meta)) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
}

/** The JSON of the answer to a fast request, in parts. Rejects if the server failed. */
export function fastAnswer(
  request: FastRequest,
  id: RequestId,
  tools: ToolCaller,
  peer: Peer,
): Promise<BodyParts> {
  if (request.method === 'tools/list') {
    return Promise.resolve(tools.listJson(peer.caller, listFormOf(peer))).then((list) =>
      resultParts(id, list),
    );
  }
  const { name, args } = request;
  const callTool = (tool: CallableTool | undefined): Promise<BodyParts> =>
    tool === undefined
      ? Promise.resolve([errorJson(id, ErrorCode.InvalidParams, tools.unknown(name))])
      : tools.call(tool, args, peer).then(({ result }) => [resultJson(id, JSON.stringify(result))]);
  const tool = tools.find(name, peer.caller);
  return tool instanceof Promise ? tool.then(callTool) : callTool(tool);
}
