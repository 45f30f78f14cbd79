import type { Caller } from '../calls/caller.js';
import type { Abortable } from '../calls/peer.js';
import { RequestFault, type RequestId } from '../messages/json-rpc.js';
import type { KeepAlive } from '../messages/keep-alive.js';
import { Notifications } from '../messages/notifications.js';
import { refusalOf } from '../messages/refusals.js';
import type { Reply } from '../messages/reply.js';
import type { UnderWay } from '../messages/under-way.js';
import type { Answer } from '../operations/answer.js';
import type { OnDemand } from '../operations/on-demand.js';
import type { CallableTool, ToolCaller } from '../operations/tool-caller.js';
import type { ToolResult } from '../operations/tool-result.js';
import type { StatelessHandler } from './http-handler.js';
import { InputRounds, roundAnswer } from './input-rounds.js';
import type { FastCall, ResultWriter } from './stateless-fast-path.js';
import { StatelessPeer } from './stateless-peer.js';
import { asTask, isTaskTool } from './tasks/task-calls.js';
import { createdTask } from './tasks/task-result.js';
import type { TaskAnswer, Tasks } from './tasks/tasks.js';

/** What the calls of an endpoint have in common. */
interface Parts {
  readonly results: ResultWriter;
  readonly underWay: UnderWay;
  readonly keepAlive: KeepAlive;
  readonly tools: ToolCaller;
  /** Loaded with the first question to a client: it signs the state of the call. */
  readonly sdk: OnDemand<StatelessHandler>;
  readonly tasks: Tasks | undefined;
}

/** Answers `tools/call` with a result, with questions to the client, or with a task. */
export class ToolCalls {
  constructor(private readonly parts: Parts) {}

  /** Rejects if the server failed. */
  serve(
    tool: CallableTool,
    { id, method, name, args, envelope }: FastCall,
    caller: Caller,
    reply: Reply,
  ): Promise<void> {
    const { results, underWay, keepAlive } = this.parts;
    const peer = new StatelessPeer(
      envelope,
      new InputRounds({ method, name, args, caller }),
      new Notifications(envelope.progressToken, envelope, reply),
      (call) => endWith(reply, call),
    );
    keepAlive.add(reply);
    underWay.begin();
    const ended = () => {
      keepAlive.delete(reply);
      underWay.end();
    };
    return this.run(tool, args, peer).then(
      (answer) => {
        if (answer.kind === 'input-required') return this.ask(id, peer, reply).finally(ended);
        ended();
        return answer.kind === 'task'
          ? reply.answer(results.partial(id, createdTask(answer.created)))
          : reply.answer(results.toolResult(id, answer.result));
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
    args: FastCall['args'],
    peer: StatelessPeer,
  ): Promise<Answer<ToolResult> | TaskAnswer> {
    const { tasks, tools } = this.parts;
    // Without tasks, nothing is added to a call.
    return tasks && isTaskTool(tool)
      ? tools.call(tool, args, peer, asTask(tasks, tool, peer))
      : tools.call(tool, args, peer);
  }

  /** Ends a round. The client sends the answers with another request. */
  private async ask(id: RequestId, peer: StatelessPeer, reply: Reply): Promise<void> {
    const { results, sdk } = this.parts;
    try {
      const required = await roundAnswer(peer, async () => (await sdk.get()).codec);
      reply.answer(results.partial(id, required));
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      reply.refuse(refusalOf(id, error));
    }
  }
}

/** Aborts a call when its client disconnects. */
function endWith(reply: Reply, call: Abortable): void {
  reply.onceClosed(() => call.abort());
  // The client may have disconnected while `visible` decided.
  if (!reply.isOpen) call.abort();
}
