import type { Caller } from '../calls/caller.js';
import { headerMismatch } from '../messages/header-mismatch.js';
import type { JsonObject, JsonRpcRequest, RequestId } from '../messages/json-rpc.js';
import type { Refusal } from '../messages/refusals.js';
import type { CallableTool, ToolCaller } from '../operations/tool-caller.js';
import { isRecord } from '../schema/json-schema.js';

/** The call of a tool, with what is compared. */
interface ComparedCall {
  readonly id: RequestId;
  readonly args: JsonObject;
}

/** Compares the arguments of a call with the headers that repeat them. Clients see no headers of a tool that they call through another. */
export function mismatchOf(
  tool: CallableTool,
  { id, args }: ComparedCall,
  { origin, via }: Caller,
): Refusal | undefined {
  if (tool.kind === 'local' || tool.headers === undefined || via !== undefined) return undefined;
  return headerMismatch(id, tool.headers, args, origin.headers);
}

/** As `mismatchOf()`, for a request that may be no call. */
export async function mismatchIn(
  { id, method, params = {} }: JsonRpcRequest,
  tools: ToolCaller,
  caller: Caller,
): Promise<Refusal | undefined> {
  if (!tools.hasHeaders || method !== 'tools/call') return undefined;
  const { name, arguments: args = {} } = params;
  const tool = await tools.find(String(name), caller);
  return tool && isRecord(args) ? mismatchOf(tool, { id, args }, caller) : undefined;
}
