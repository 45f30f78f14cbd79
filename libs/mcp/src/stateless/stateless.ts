import type { Caller } from '../calls/caller.js';
import type { Abortable } from '../calls/peer.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { Tool } from '../catalogue/tool.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import {
  clientMessageOf,
  ErrorCode,
  errorJson,
  RequestFault,
  type RequestId,
} from '../messages/json-rpc.js';
import { KeepAlive } from '../messages/keep-alive.js';
import { Notifications } from '../messages/notifications.js';
import { badRequest, SHUTTING_DOWN } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import { UnderWay } from '../messages/under-way.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import { claimedRevision, isStateless } from './envelope.js';
import type { StatelessHandler } from './http-handler.js';
import { InputRounds, roundAnswer } from './input-rounds.js';
import { type FastCall, type FastRequest, ResultWriter } from './stateless-fast-path.js';
import { StatelessPeer } from './stateless-peer.js';

type Headers = Caller['origin']['headers'];

/**
 * Serves clients of revision 2026-07-28. Well-formed calls and lists of tools are answered here, all else by
 * the SDK.
 */
export class Stateless {
  private readonly results: ResultWriter;
  private readonly underWay = new UnderWay();
  private readonly keepAlive = new KeepAlive();
  private closed = false;

  /** @param sdk loaded with the first request that it has to judge */
  constructor(
    options: ResolvedMcpOptions,
    private readonly sdk: OnDemand<StatelessHandler>,
    private readonly operations: Operations,
  ) {
    this.results = new ResultWriter(options);
  }

  /** Whether a POST shows any sign of this revision. */
  mayOwn(body: unknown, headers: Headers): boolean {
    const revision = headerOf(headers, 'mcp-protocol-version');
    return claimedRevision(body) !== undefined || (revision !== undefined && isStateless(revision));
  }

  /** Whether a POST is of this revision: the SDK decides. Ask `mayOwn()` before. */
  async owns(body: unknown, headers: Headers): Promise<boolean> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    return sdk.owns(body, {
      protocolVersion: headerOf(headers, 'mcp-protocol-version'),
      method: headerOf(headers, 'mcp-method'),
      name: headerOf(headers, 'mcp-name'),
    });
  }

  /** @param fast what the body is where the SDK need not judge it */
  post(
    body: unknown,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): void | Promise<void> {
    if (fast?.method === 'tools/list') return this.list(fast, caller, reply);
    if (fast) return this.call(fast, body, caller, reply);
    // It may have waited for the SDK.
    if (this.closed) return reply.refuse(SHUTTING_DOWN);
    return this.postToSdk(body, caller, reply);
  }

  resourceUpdated(uri: string): void {
    this.sdk.loaded?.resourceUpdated(uri);
  }

  /** @param limitMs how long requests under way are waited for */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.sdk.settled();
    await this.sdk.loaded?.stopListening();
    await this.underWay.none(limitMs);
    this.keepAlive.stop();
    await this.sdk.settled();
    await this.sdk.loaded?.close();
  }

  private list({ id }: FastRequest, caller: Caller, reply: Reply): void | Promise<void> {
    const list = this.operations.tools.listJson(caller);
    const send = (json: ListJson) => reply.answer(...this.results.list(id, json));
    return list instanceof Promise ? this.serve(list.then(send)) : send(list);
  }

  private call(fast: FastCall, body: unknown, caller: Caller, reply: Reply): Promise<void> {
    // The SDK answers for an unknown tool.
    const run = (tool: Tool | undefined) =>
      tool ? this.callTool(tool, fast, caller, reply) : this.postToSdk(body, caller, reply);
    const tool = this.operations.tools.find(fast.name, caller);
    return tool instanceof Promise ? this.serve(tool.then(run)) : run(tool);
  }

  private callTool(
    tool: Tool,
    { id, method, name, args, envelope }: FastCall,
    caller: Caller,
    reply: Reply,
  ): Promise<void> {
    const peer = new StatelessPeer(
      envelope,
      new InputRounds({ method, name, args, caller }),
      new Notifications(envelope.progressToken, envelope, reply),
      (call) => endWith(reply, call),
    );
    this.keepAlive.add(reply);
    this.underWay.begin();
    const ended = () => {
      this.keepAlive.delete(reply);
      this.underWay.end();
    };
    return this.operations.tools.call(tool, args, peer).then(
      (answer) => {
        if (answer.kind === 'input-required') return this.ask(id, peer, reply).finally(ended);
        ended();
        return reply.answer(this.results.toolResult(id, answer.result));
      },
      (error: unknown) => {
        ended();
        throw error;
      },
    );
  }

  /** Ends a round: the answers come with another request. */
  private async ask(id: RequestId, peer: StatelessPeer, reply: Reply): Promise<void> {
    try {
      const required = await roundAnswer(peer, async () => (await this.sdk.get()).codec);
      reply.answer(this.results.partial(id, required));
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      reply.refuse(badRequest(id, error));
    }
  }

  private postToSdk(body: unknown, caller: Caller, reply: Reply): Promise<void> {
    return this.serve(this.answerBySdk(body, caller, reply));
  }

  private async answerBySdk(body: unknown, caller: Caller, reply: Reply): Promise<void> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    if (!reply.isOpen) return;
    const message = clientMessageOf(body);
    const fault = message?.kind === 'request' && sdk.paramsFault(message.message);
    if (fault) {
      reply.answer(errorJson(message.message.id, ErrorCode.InvalidParams, fault));
      return;
    }
    await reply.handOver((request) => {
      this.keepAlive.add(reply);
      return sdk.answer(request, body, caller).finally(() => this.keepAlive.delete(reply));
    });
  }

  /** Counts what closing has to wait for. */
  private async serve(serving: Promise<void>): Promise<void> {
    this.underWay.begin();
    try {
      await serving;
    } finally {
      this.underWay.end();
    }
  }
}

/** Ends a call when its client leaves. */
function endWith(reply: Reply, call: Abortable): void {
  reply.onceClosed(() => call.abort());
  // The client may have left while it was decided whether it may see the tool.
  if (!reply.isOpen) call.abort();
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
