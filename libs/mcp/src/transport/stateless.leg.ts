import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { canBeAsked } from '../live/call-peer.js';
import { jsonNotifier } from '../protocol/call-notifier.js';
import { callDigest } from '../protocol/context.server.js';
import { InputRounds } from '../protocol/input-rounds.js';
import { isObject, type RequestId, resultJson } from '../protocol/json-rpc.js';
import type { McpService } from '../protocol/mcp.service.js';
import { type InputRequired, inputRequired } from '../protocol/round-state.codec.js';
import { StatelessPeer } from '../protocol/stateless.peer.js';
import type { StatelessProtocol } from '../protocol/stateless.server.js';
import type { ToolResult } from '../protocol/tool-result.js';
import { EventStream } from './event-stream.js';
import { missingCapabilities, refusalJson, refuse } from './http.answers.js';
import type { HttpCaller } from './http-caller.js';
import { onceClosed } from './once-closed.js';
import { type PlainCall, plainRequestOf, REVISION, VERSION_KEY } from './plain-request.js';
import { sendWebResponse, webRequestOf } from './web-exchange.js';

const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/**
 * Serves clients of revision 2026-07-28. The plain calls and lists are answered here; whatever is
 * odd about a message, the SDK says.
 */
export class StatelessLeg {
  private readonly serverInfo: { readonly name: string; readonly version: string };
  /** What this revision adds to a list, with the SDK's hint not to keep it. */
  private readonly stamp: string;
  /** The list most callers get, and the same with the stamp. */
  private stamped = { list: '', json: '' };

  constructor(
    { name, version }: ResolvedMcpOptions,
    private readonly protocol: StatelessProtocol,
    private readonly service: McpService,
  ) {
    this.serverInfo = { name, version };
    this.stamp = JSON.stringify({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [SERVER_KEY]: this.serverInfo },
    });
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

  async post(body: unknown, caller: HttpCaller, response: ServerResponse): Promise<void> {
    const plain = plainRequestOf(body, caller.origin);
    if (plain?.method === 'tools/list') {
      const list = this.stampedList(await this.service.tools.listJson(caller));
      return this.answer(response, resultJson(plain.id, list));
    }
    if (plain && (await this.answerCall(plain, caller, response))) return;
    const web = webRequestOf(caller.origin, response);
    await sendWebResponse(await this.protocol.answer(web, body, caller), response);
  }

  resourceUpdated(uri: string): void {
    this.protocol.resourceUpdated(uri);
  }

  close(): Promise<void> {
    return this.protocol.close();
  }

  /** False where there is no such tool, which the SDK then says. */
  private async answerCall(
    plain: PlainCall,
    caller: HttpCaller,
    response: ServerResponse,
  ): Promise<boolean> {
    const stream = new EventStream(response);
    const rounds = new InputRounds(() =>
      callDigest('tools/call', { name: plain.name, arguments: plain.args }, caller),
    );
    const peer = new StatelessPeer(
      plain.client,
      jsonNotifier(
        plain.progressToken,
        () => plain.logLevel,
        (json) => stream.send(json),
      ),
      rounds,
    );
    const call = await this.service.tools.call(plain.name, plain.args, caller, peer);
    if (call === undefined) return false;
    onceClosed(response, () => call.abort());
    const result = await call.result;
    const { demand } = peer;
    if (demand === undefined) {
      this.send(plain.id, result, response, stream);
      return true;
    }
    const missing = demand.filter(({ feature }) => !canBeAsked(peer, feature));
    if (missing.length > 0) {
      const features = missing.map(({ feature }) => feature);
      const refusal = missingCapabilities(plain.id, features);
      if (stream.hasBegun) stream.end(refusalJson(refusal));
      else refuse(response, refusal);
      return true;
    }
    const required = await inputRequired(demand, rounds, this.protocol.codec);
    this.send(plain.id, required, response, stream);
    return true;
  }

  private stampedList(list: string): string {
    if (this.stamped.list !== list) {
      this.stamped = { list, json: `${list.slice(0, -1)},${this.stamp.slice(1)}` };
    }
    return this.stamped.json;
  }

  private send(
    id: RequestId,
    result: ToolResult | InputRequired,
    response: ServerResponse,
    stream: EventStream,
  ): void {
    const _meta = { ...result._meta, [SERVER_KEY]: this.serverInfo };
    const json = resultJson(id, JSON.stringify({ resultType: 'complete', ...result, _meta }));
    if (stream.hasBegun) stream.end(json);
    else this.answer(response, json);
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
