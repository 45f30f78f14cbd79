import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { isObject, type JsonObject, type RequestId, resultJson } from '../protocol/json-rpc.js';
import type { StatelessProtocol } from '../protocol/stateless.server.js';
import type { ToolCall, ToolCaller } from '../protocol/tool.caller.js';
import type { ToolResult } from '../protocol/tool-result.js';
import { type PlainRequest, REVISION, VERSION_KEY } from './plain-request.js';
import { onceClosed } from './once-closed.js';
import { sendWebResponse, webRequestOf } from './web-exchange.js';

const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/**
 * Serves clients of revision 2026-07-28. The plain calls and lists are answered here; whatever is
 * odd about a message, the SDK says.
 */
export class StatelessLeg {
  /** What this revision adds to every result. */
  private readonly stamp: { readonly resultType: 'complete'; readonly _meta: JsonObject };
  private readonly stampJson: string;
  /** The list stamped, with the SDK's hint not to keep it. */
  private readonly listJson: string;

  constructor(
    { name, version }: ResolvedMcpOptions,
    private readonly protocol: StatelessProtocol,
    private readonly tools: ToolCaller,
  ) {
    this.stamp = { resultType: 'complete', _meta: { [SERVER_KEY]: { name, version } } };
    this.stampJson = JSON.stringify(this.stamp);
    const uncached = JSON.stringify({ ...this.stamp, ttlMs: 0, cacheScope: 'private' });
    this.listJson = joined(tools.listJson, uncached);
  }

  /** Whether a POST is of this revision. The SDK decides, where there is a sign of it at all. */
  owns(body: unknown, { headers }: IncomingMessage): boolean {
    const protocolVersion = headerOf(headers, 'mcp-protocol-version');
    if (claimOf(body) === undefined && !(protocolVersion && isOfThisEra(protocolVersion))) {
      return false;
    }
    return this.protocol.owns(body, {
      protocolVersion,
      method: headerOf(headers, 'mcp-method'),
      name: headerOf(headers, 'mcp-name'),
    });
  }

  /** @param plain what the body is where it is right in every respect */
  async post(
    body: unknown,
    plain: PlainRequest | undefined,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (plain?.method === 'tools/list') {
      return this.answer(response, resultJson(plain.id, this.listJson));
    }
    const call = plain && this.tools.call(plain.name, plain.args, request);
    if (call) return await this.answerCall(plain.id, call, response);
    const web = webRequestOf(request, response);
    await sendWebResponse(await this.protocol.answer(web, body, request), response);
  }

  close(): Promise<void> {
    return this.protocol.close();
  }

  private async answerCall(id: RequestId, call: ToolCall, response: ServerResponse): Promise<void> {
    onceClosed(response, () => call.abort());
    this.answer(response, resultJson(id, this.stamped(await call.result)));
  }

  private stamped(result: ToolResult): string {
    // Of most results the JSON is written once and joined: spreading them costs V8 a hidden class each.
    if (result._meta === undefined) return joined(JSON.stringify(result), this.stampJson);
    const _meta = { ...result._meta, ...this.stamp._meta };
    return JSON.stringify({ ...result, ...this.stamp, _meta });
  }

  private answer(response: ServerResponse, json: string): void {
    if (response.destroyed) return;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(json),
    });
    response.end(json);
  }
}

/** The JSON of two objects that share no member, as that of one. */
function joined(first: string, second: string): string {
  return `${first.slice(0, -1)},${second.slice(1)}`;
}

/** Whether a revision is this one or a later one; they compare as text. */
export function isOfThisEra(revision: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(revision) && revision >= REVISION;
}

/** The revision a message claims to be of; undefined where it claims none. */
function claimOf(body: unknown): unknown {
  const params = isObject(body) ? body['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && VERSION_KEY in meta ? (meta[VERSION_KEY] ?? null) : undefined;
}

function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
