import type { Caller } from '../calls/caller.js';
import type { ListJson } from '../catalogue/published-list.js';
import {
  type ClientMessage,
  type JsonObject,
  type RequestId,
  resultJson,
  resultParts,
} from '../messages/json-rpc.js';
import type { BodyParts } from '../messages/reply.js';
import type { ToolResult } from '../operations/tool-result.js';
import { isRecord } from '../schema/json-schema.js';
import type { McpServerInfo } from '../options/server-options.js';
import { type Envelope, plainEnvelope, REVISION, SERVER_KEY } from './envelope.js';

/** A request of 2026-07-28 that is answered without the SDK. */
export type FastRequest = FastList | FastCall;

interface FastList {
  readonly method: 'tools/list';
  readonly id: RequestId;
  readonly envelope: Envelope;
}

/** A tool call and its envelope. */
export interface FastCall {
  readonly method: 'tools/call';
  readonly id: RequestId;
  readonly name: string;
  readonly args: JsonObject;
  readonly envelope: Envelope;
}

/**
 * Returns a request of revision 2026-07-28 that passes every check: the envelope is complete, the headers
 * match the body, and the parameters are well-formed. Undefined is not a refusal: the SDK then decides.
 */
export function fastRequestOf(
  client: ClientMessage,
  { origin: { headers }, via }: Caller,
): FastRequest | undefined {
  if (client.kind !== 'request' || headers['mcp-protocol-version'] !== REVISION) return undefined;
  const { id, method, params = {} } = client.message;
  const envelope = plainEnvelope(params);
  if (!envelope || headers['mcp-method'] !== method) return undefined;
  if (method === 'tools/list') {
    return 'cursor' in params || 'mcp-name' in headers ? undefined : { method, id, envelope };
  }
  if (method !== 'tools/call') return undefined;
  const { name, arguments: args = {} } = params;
  if (typeof name !== 'string' || headers['mcp-name'] !== (via ?? name)) return undefined;
  if (!isRecord(args)) return undefined;
  // The SDK validates the state of earlier rounds.
  if ('inputResponses' in params || 'requestState' in params) return undefined;
  return { method, id, name, args, envelope };
}

/** Writes results of revision 2026-07-28. Each contains the name of the server. */
export class ResultWriter {
  /** Members that this revision adds to every result. */
  private readonly stamp: { readonly resultType: 'complete'; readonly _meta: JsonObject };
  private readonly stampJson: string;
  /** Members that it adds to a list, including the SDK's hint not to cache it. */
  private readonly listStamp: string;

  /** The server's icons and texts are left out: they would make each result larger. */
  constructor({ name, version }: Pick<McpServerInfo, 'name' | 'version'>) {
    this.stamp = { resultType: 'complete', _meta: { [SERVER_KEY]: { name, version } } };
    this.stampJson = JSON.stringify(this.stamp);
    this.listStamp = JSON.stringify({ ...this.stamp, ttlMs: 0, cacheScope: 'private' });
  }

  list(id: RequestId, list: ListJson): BodyParts {
    return resultParts(id, list.subarray(0, -1), `,${this.listStamp.slice(1)}`);
  }

  toolResult(id: RequestId, result: ToolResult): string {
    // Most results are joined as JSON: spreading would create a V8 hidden class for each.
    if (result._meta === undefined) {
      return resultJson(id, joined(JSON.stringify(result), this.stampJson));
    }
    const _meta = { ...result._meta, ...this.stamp._meta };
    return resultJson(id, JSON.stringify({ ...result, ...this.stamp, _meta }));
  }

  /** Writes a result that is not complete and has another `resultType`. */
  partial(id: RequestId, result: object): string {
    return resultJson(id, JSON.stringify({ ...result, _meta: this.stamp._meta }));
  }
}

/** Joins the JSON of two objects without common members into the JSON of one object. */
function joined(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}
