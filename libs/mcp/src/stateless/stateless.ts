import type { Caller } from '../calls/caller.js';
import { type Abortable, listFormOf } from '../calls/peer.js';
import type { ListJson } from '../catalogue/published-list.js';
import type { EndpointOptions } from '../mcp.defaults.js';
import {
  clientMessageOf,
  ErrorCode,
  errorJson,
  type JsonObject,
  RequestFault,
  type RequestId,
} from '../messages/json-rpc.js';
import { KeepAlive } from '../messages/keep-alive.js';
import { Notifications } from '../messages/notifications.js';
import { refusalOf, SHUTTING_DOWN } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import { UnderWay } from '../messages/under-way.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { Operations } from '../operations/operations.js';
import type { CallableTool } from '../operations/tool-caller.js';
import type { Answer } from '../operations/answer.js';
import type { ToolResult } from '../operations/tool-result.js';
import { claimedRevision, isStateless } from './envelope.js';
import type { StatelessHandler } from './http-handler.js';
import { InputRounds, roundAnswer } from './input-rounds.js';
import { mismatchIn, mismatchOf } from './repeated-arguments.js';
import { type FastCall, type FastRequest, ResultWriter } from './stateless-fast-path.js';
import { StatelessPeer } from './stateless-peer.js';
import { listensInVain, tasksRequired } from './tasks/task-capability.js';
import { createdTask } from './tasks/task-result.js';
import { isTaskTool, runTaskTool } from './tasks/task-calls.js';
import type { TaskAnswer, Tasks } from './tasks/tasks.js';

type Headers = Caller['origin']['headers'];

/**
 * Serves clients of revision 2026-07-28. Well-formed `tools/call` and `tools/list` requests are answered
 * here, everything else by the SDK.
 */
export class Stateless {
  private readonly results: ResultWriter;
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
    this.results = new ResultWriter(options.server);
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
    const run = (tool: CallableTool | undefined) => {
      if (!tool) return this.postToSdk(body, caller, reply);
      const refusal = mismatchOf(tool, fast, caller);
      return refusal ? reply.refuse(refusal) : this.callTool(tool, fast, caller, reply);
    };
    const tool = this.operations.tools.find(fast.name, caller);
    return tool instanceof Promise ? this.serve(tool.then(run)) : run(tool);
  }

  private callTool(
    tool: CallableTool,
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
    return this.run(tool, args, peer).then(
      (answer) => {
        if (answer.kind === 'task') {
          ended();
          return reply.answer(this.results.partial(id, createdTask(answer.created)));
        }
        if (answer.kind === 'input-required') return this.ask(id, peer, reply).finally(ended);
        ended();
        return reply.answer(this.results.toolResult(id, answer.result));
      },
      (error: unknown) => {
        ended();
        if (error instanceof RequestFault) return reply.refuse(refusalOf(id, error));
        throw error;
      },
    );
  }

  private run(
    tool: CallableTool,
    args: JsonObject,
    peer: StatelessPeer,
  ): Promise<Answer<ToolResult> | TaskAnswer> {
    const { tasks, operations } = this;
    // Without tasks, nothing is added to a call.
    return tasks && isTaskTool(tool)
      ? runTaskTool(tasks, tool, args, peer)
      : operations.tools.call(tool, args, peer);
  }

  /** Ends a round. The client sends the answers with another request. */
  private async ask(id: RequestId, peer: StatelessPeer, reply: Reply): Promise<void> {
    try {
      const required = await roundAnswer(peer, async () => (await this.sdk.get()).codec);
      reply.answer(this.results.partial(id, required));
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      reply.refuse(refusalOf(id, error));
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
    if (message?.kind === 'request' && listensInVain(message.message)) {
      return reply.refuse(refusalOf(message.message.id, tasksRequired()));
    }
    const refusal =
      message?.kind === 'request' &&
      (await mismatchIn(message.message, this.operations.tools, caller));
    if (refusal) return reply.refuse(refusal);
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

/** Aborts a call when its client disconnects. */
function endWith(reply: Reply, call: Abortable): void {
  reply.onceClosed(() => call.abort());
  // The client may have disconnected while `visible` decided.
  if (!reply.isOpen) call.abort();
}

function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return value === undefined ? undefined : String(value);
}
