import type { ClientMessage, JsonObject } from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';

/** A request of a session that is answered without the SDK: the well-formed alone. */
export type FastRequest =
  | { readonly method: 'tools/list' }
  | { readonly method: 'tools/call'; readonly name: string; readonly args: JsonObject };

/** What of a message can be answered without the SDK; undefined leaves it to the SDK to judge. */
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
