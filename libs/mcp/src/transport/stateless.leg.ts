import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { Question } from '../calls/peer.js';
import { Notifications } from '../messages/notifications.js';
import { inputRequired, InputRounds, missingCapabilities } from '../stateless/input-rounds.js';
import {
  clientMessageOf,
  ErrorCode,
  errorJson,
  type JsonObject,
  type RequestId,
  resultJson,
  resultParts,
} from '../messages/json-rpc.js';
import { isRecord } from '../schema/json-schema.js';
import type { Operations } from '../operations/operations.js';
import { StatelessPeer } from '../stateless/stateless-peer.js';
import type { StatelessProtocol } from '../stateless/http-handler.js';
import type { ToolResult } from '../operations/tool-result.js';
import { type BodyParts, byteLengthOf, endWith, EventStream, onceClosed } from './event-stream.js';
import { badRequest, refusalJson, SHUTTING_DOWN } from '../messages/refusals.js';
import { refuse } from './http-reply.js';
import type { HttpCaller } from './http-caller.js';
import { isGone } from './http2.js';
import { KeepAlive } from '../messages/keep-alive.js';
import type { OnDemand } from '../operations/on-demand.js';
import {
  type FastCall,
  type FastRequest,
  REVISION,
  VERSION_KEY,
} from '../stateless/stateless-fast-path.js';
import { UnderWay } from '../messages/under-way.js';
import { endWithWebResponse, sendWebResponse, webRequestOf } from './web-request.js';

const SERVER_KEY = 'io.modelcontextprotocol/serverInfo';

/**
 * Serves clients of revision 2026-07-28. The plain calls and lists are answered here; whatever is
 * odd about a message, the SDK says.
 */
export class StatelessLeg {
  /** What this revision adds to every result. */
  private readonly stamp: { readonly resultType: 'complete'; readonly _meta: JsonObject };
  private readonly stampJson: string;
  /** What it adds to a list: the SDK's hint not to keep it as well. */
  private readonly listStamp: string;
  private readonly underWay = new UnderWay();
  private readonly keepAlive = new KeepAlive();
  private closed = false;

  /** @param protocol loaded with the first request that is not plain */
  constructor(
    { name, version }: ResolvedMcpOptions,
    private readonly protocol: OnDemand<StatelessProtocol>,
    private readonly service: Operations,
  ) {
    this.stamp = { resultType: 'complete', _meta: { [SERVER_KEY]: { name, version } } };
    this.stampJson = JSON.stringify(this.stamp);
    this.listStamp = JSON.stringify({ ...this.stamp, ttlMs: 0, cacheScope: 'private' });
  }

  /** Whether there is a sign that a POST is of this revision. */
  mayOwn(body: unknown, { headers }: IncomingMessage): boolean {
    const protocolVersion = headerOf(headers, 'mcp-protocol-version');
    return (
      claimOf(body) !== undefined || (protocolVersion !== undefined && isOfThisEra(protocolVersion))
    );
  }

  /** Whether a POST is of this revision: the SDK decides. Ask `mayOwn()` before. */
  async owns(body: unknown, { headers }: IncomingMessage): Promise<boolean> {
    const protocol = this.protocol.loaded ?? (await this.protocol.get());
    return protocol.owns(body, {
      protocolVersion: headerOf(headers, 'mcp-protocol-version'),
      method: headerOf(headers, 'mcp-method'),
      name: headerOf(headers, 'mcp-name'),
    });
  }

  /** @param plain what the body is where it is right in every respect */
  async post(
    body: unknown,
    plain: FastRequest | undefined,
    caller: HttpCaller,
    response: ServerResponse,
  ): Promise<void> {
    // It may have waited for the SDK.
    if (this.closed && !plain) return refuse(response, SHUTTING_DOWN);
    this.underWay.begin();
    try {
      await this.serve(body, plain, caller, response);
    } finally {
      this.underWay.end();
    }
  }

  private async serve(
    body: unknown,
    plain: FastRequest | undefined,
    caller: HttpCaller,
    response: ServerResponse,
  ): Promise<void> {
    if (plain?.method === 'tools/list') {
      const list = await this.service.tools.listJson(caller);
      const members = list.subarray(0, -1);
      answer(response, resultParts(plain.id, members, `,${this.listStamp.slice(1)}`));
      return;
    }
    if (plain && (await this.answerCall(plain, caller, response))) return;
    const protocol = this.protocol.loaded ?? (await this.protocol.get());
    if (isGone(response)) return;
    const message = clientMessageOf(body);
    const fault = message?.kind === 'request' && protocol.paramsFault(message.message);
    if (fault) {
      answer(response, [errorJson(message.message.id, ErrorCode.InvalidParams, fault)]);
      return;
    }
    const stream = new EventStream(response);
    const web = webRequestOf(caller.origin, response);
    this.keepAlive.add(stream);
    const answering = protocol.answer(web, body, caller);
    const answered = await answering.finally(() => this.keepAlive.delete(stream));
    if (stream.hasBegun) await endWithWebResponse(answered, stream, response);
    else await sendWebResponse(answered, response);
  }

  resourceUpdated(uri: string): void {
    this.protocol.loaded?.resourceUpdated(uri);
  }

  /** @param limitMs how long requests under way are waited for */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.protocol.settled();
    await this.protocol.loaded?.stopListening();
    await this.underWay.none(limitMs);
    this.keepAlive.stop();
    await this.protocol.settled();
    await this.protocol.loaded?.close();
  }

  /** False where there is no such tool, which the SDK then says. */
  private async answerCall(
    plain: FastCall,
    caller: HttpCaller,
    response: ServerResponse,
  ): Promise<boolean> {
    const stream = new EventStream(response);
    const { method, name, args } = plain;
    const rounds = new InputRounds({ method, name, args, caller });
    const notifier = new Notifications(plain.progressToken, plain, stream);
    const peer = new StatelessPeer(plain.client, notifier, rounds);
    const call = await this.service.tools.call(name, args, caller, peer);
    if (call === undefined) return false;
    onceClosed(response, () => call.abort());
    // The client may have gone while it was decided whether it may see the tool.
    if (isGone(response)) call.abort();
    this.keepAlive.add(stream);
    const result = await call.result.finally(() => this.keepAlive.delete(stream));
    const { demand } = peer;
    if (demand === undefined) end(response, stream, resultJson(plain.id, this.stamped(result)));
    else await this.answerDemand(plain.id, demand, peer, rounds, response, stream);
    return true;
  }

  private async answerDemand(
    id: RequestId,
    demand: readonly Question[],
    peer: StatelessPeer,
    rounds: InputRounds,
    response: ServerResponse,
    stream: EventStream,
  ): Promise<void> {
    const missing = missingCapabilities(peer);
    if (missing) {
      const refusal = badRequest(id, missing);
      if (stream.hasBegun) stream.end(refusalJson(refusal));
      else refuse(response, refusal);
      return;
    }
    const required = await inputRequired(demand, rounds, (await this.protocol.get()).codec);
    end(response, stream, resultJson(id, JSON.stringify({ ...required, _meta: this.stamp._meta })));
  }

  private stamped(result: ToolResult): string {
    // Of most results the JSON is written once and joined: spreading them costs V8 a hidden class each.
    if (result._meta === undefined) return joined(JSON.stringify(result), this.stampJson);
    const _meta = { ...result._meta, ...this.stamp._meta };
    return JSON.stringify({ ...result, ...this.stamp, _meta });
  }
}

/** One JSON body, or the last event where the stream was begun. */
function end(response: ServerResponse, stream: EventStream, json: string): void {
  if (stream.hasBegun) stream.end(json);
  else answer(response, [json]);
}

function answer(response: ServerResponse, json: BodyParts): void {
  if (isGone(response)) return;
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': byteLengthOf(json),
  });
  endWith(response, json);
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
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && VERSION_KEY in meta ? (meta[VERSION_KEY] ?? null) : undefined;
}

function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
