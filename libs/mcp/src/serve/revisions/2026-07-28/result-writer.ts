import type { ListJson } from '../../../publish/catalogue/published-list.js';
import {
  type JsonObject,
  type RequestId,
  resultJson,
  resultParts,
} from '../../protocol/json-rpc.js';
import type { BodyParts } from '../../protocol/reply.js';
import { type ListCaching, NOT_CACHED } from '../../methods/list-caching.js';
import type { McpServerInfo } from '../../../options/server-options.js';
import { SERVER_KEY } from './envelope.js';

/** Writes the results of MCP 2026-07-28 as JSON. Each result contains the name of the server. */
export class ResultWriter {
  /** Fields that are added to every result. */
  private readonly stamp: { readonly resultType: 'complete'; readonly _meta: JsonObject };
  private readonly stampJson: string;
  private readonly cacheStampJson: string;
  private readonly listStampJson: string;

  /** Icons and descriptions of the server are omitted, because every result would contain them. */
  constructor({ name, version }: Pick<McpServerInfo, 'name' | 'version'>, lists: ListCaching) {
    this.stamp = { resultType: 'complete', _meta: { [SERVER_KEY]: { name, version } } };
    this.stampJson = JSON.stringify(this.stamp);
    this.cacheStampJson = JSON.stringify({ ...this.stamp, ...NOT_CACHED });
    this.listStampJson = JSON.stringify({ ...this.stamp, ...lists });
  }

  list(id: RequestId, list: ListJson): BodyParts {
    return resultParts(id, list.subarray(0, -1), `,${this.listStampJson.slice(1)}`);
  }

  result(id: RequestId, result: { readonly _meta?: unknown }): string {
    // Joining JSON is faster: spreading would create a V8 hidden class for each result.
    if (result._meta === undefined) {
      return resultJson(id, joined(JSON.stringify(result), this.stampJson));
    }
    const _meta = { ...(result._meta as JsonObject), ...this.stamp._meta };
    return resultJson(id, JSON.stringify({ ...result, ...this.stamp, _meta }));
  }

  /** Writes a result, and adds the cache settings for clients. */
  cacheableResult(id: RequestId, result: object): string {
    return resultJson(id, joined(JSON.stringify(result), this.cacheStampJson));
  }

  /** Writes a result that already has a `resultType`. */
  typedResult(id: RequestId, result: { readonly _meta?: object }): string {
    const _meta = { ...this.stamp._meta, ...result._meta };
    return resultJson(id, JSON.stringify({ ...result, _meta }));
  }
}

/** The objects must not have common fields. */
function joined(first: string, second: string): string {
  return first === '{}' ? second : `${first.slice(0, -1)},${second.slice(1)}`;
}
