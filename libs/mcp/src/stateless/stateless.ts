import type { Caller } from '../calls/caller.js';
import { listFormOf } from '../calls/peer.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import { clientMessageOf, ErrorCode, errorJson } from '../messages/json-rpc.js';
import { KeepAlive } from '../messages/keep-alive.js';
import { refusalOf, SHUTTING_DOWN } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import { UnderWay } from '../messages/under-way.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import type { CallableTool } from '../operations/tool-caller.js';
import { claimedRevision, isStateless } from './envelope.js';
import type { StatelessHandler } from './http-handler.js';
import { type FastCall, type FastRequest, ResultWriter } from './stateless-fast-path.js';
import { listensInVain, tasksRequired } from './tasks/task-capability.js';
import type { Tasks } from './tasks/tasks.js';
import { ToolCalls } from './tool-calls.js';

type Headers = Caller['origin']['headers'];

/**
 * Serves clients of revision 2026-07-28. Well-formed `tools/call` and `tools/list` requests are answered
 * here, everything else by the SDK.
 */
export class Stateless {
  private readonly results: ResultWriter;
  private readonly calls: ToolCalls;
  private readonly underWay = new UnderWay();
  private readonly keepAlive = new KeepAlive();
  private closed = false;

  /** @param sdk loaded with the first request that needs it */
  constructor(
    options: EndpointOptions,
    private readonly sdk: OnDemand<StatelessHandler>,
    private readonly operations: Operations,
    private readonly tasks: Tasks | undefined,
  ) {
    const { underWay, keepAlive } = this;
    this.results = new ResultWriter(options.server);
    const { tools } = operations;
    this.calls = new ToolCalls({ results: this.results, underWay, keepAlive, tools, sdk, tasks });
  }

  /** True if the header names this revision or a later one, or the body names any revision. */
  mayOwn(body: unknown, headers: Headers): boolean {
    const revision = headerOf(headers, 'mcp-protocol-version');
    return claimedRevision(body) !== undefined || (revision !== undefined && isStateless(revision));
  }

  /** True if a POST belongs to this revision. The SDK decides. Call `mayOwn()` first. */
  async owns(body: unknown, headers: Headers): Promise<boolean> {
    const sdk = this.sdk.loaded ?? (await this.sdk.get());
    return sdk.owns(body, {
      protocolVersion: headerOf(headers, 'mcp-protocol-version'),
      method: headerOf(headers, 'mcp-method'),
      name: headerOf(headers, 'mcp-name'),
    });
  }

  /** @param fast the request, if it can be answered without the SDK */
  post(
    body: unknown,
    fast: FastRequest | undefined,
    caller: Caller,
    reply: Reply,
  ): void | Promise<void> {
    if (fast?.method === 'tools/list') return this.list(fast, caller, reply);
    if (fast) return this.call(fast, body, caller, reply);
    // The server may have closed while the SDK was loaded.
    if (this.closed) return reply.refuse(SHUTTING_DOWN);
    return this.postToSdk(body, caller, reply);
  }

  resourceUpdated(uri: string): void {
    this.sdk.loaded?.resourceUpdated(uri);
  }

  /** @param limitMs maximum milliseconds to wait for running requests */
  async close(limitMs: number): Promise<void> {
    this.closed = true;
    await this.tasks?.close();
    await this.sdk.settled();
    await this.sdk.loaded?.stopListening();
    await this.underWay.none(limitMs);
    this.keepAlive.stop();
    await this.sdk.settled();
    await this.sdk.loaded?.close();
  }

  private list({ id, envelope }: FastRequest, caller: Caller, reply: Reply): void | Promise<void> {
    const list = this.operations.tools.listJson(caller, listFormOf(envelope));
    const send = (json: ListJson) => reply.answer(...this.results.list(id, json));
    return list instanceof Promise ? this.serve(list.then(send)) : send(list);
  }

  private call(fast: FastCall, body: unknown, caller: Caller, reply: Reply): void | Promise<void> {
    // The SDK answers calls of unknown tools.
    const run = (tool: CallableTool | undefined) =>
      tool ? this.calls.serve(tool, fast, caller, reply) : this.postToSdk(body, caller, reply);
    const tool = this.operations.tools.find(fast.name, caller);
    return tool instanceof Promise ? this.serve(tool.then(run)) : run(tool);
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
    if (message?.kind === 'request' && listensInVain(message.message)) {
      return reply.refuse(refusalOf(message.message.id, tasksRequired()));
    }
    await reply.handOver((request) => {
      this.keepAlive.add(reply);
      return sdk.answer(request, body, caller).finally(() => this.keepAlive.delete(reply));
    });
  }

  /** Counts the request as running, so that `close()` waits for it. */
  private async serve(serving: Promise<void>): Promise<void> {
    this.underWay.begin();
    try {
      await serving;
    } finally {
      this.underWay.end();
    }
  }
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
