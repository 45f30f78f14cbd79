import { isObject } from '@fledge-internal/options';
import type { Caller } from '../../serve/call/caller.js';
import { callerKey } from '../../serve/call/caller-key.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ExtendedEndpoint, RequireScopes } from '../../serve/methods/extension.js';
import { isOver, type McpStoredTask, type McpTasks } from './task-store.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The client that sends a request about a task. */
export interface TaskClient {
  readonly caller: Caller;
  readonly requireScopes: RequireScopes;
}

/**
 * Gives a client access to its own tasks. The client must still be allowed to call the tool of the
 * task.
 */
export class OwnedTasks {
  constructor(
    private readonly store: McpTasks,
    private readonly tools: ExtendedEndpoint['tools'],
  ) {}

  /**
   * @throws RequestFault if the caller has no such task or lacks a scope, or if the store cannot be
   * reached
   */
  async get(taskId: string, { caller, requireScopes }: TaskClient): Promise<McpStoredTask> {
    const stored = UUID.test(taskId) ? await this.store.read(taskId) : undefined;
    const isOwner = stored?.owner === callerKey(caller);
    const tool = isOwner && (await this.tools.find(stored.tool, caller.request));
    if (!isOwner || !tool) throw new RequestFault(ErrorCode.InvalidParams, 'Unknown task');
    requireScopes(tool.scopes);
    return stored;
  }

  /**
   * Passes answers to a task. Ignores answers to unknown questions, and answers that are not
   * objects.
   * @throws RequestFault under the same conditions as `get()`
   */
  async update(taskId: string, responses: JsonObject, client: TaskClient): Promise<void> {
    const { inputRequests = {} } = await this.get(taskId, client);
    const answers = Object.entries(responses).filter(
      (answer): answer is [string, object] =>
        Object.hasOwn(inputRequests, answer[0]) && isObject(answer[1]),
    );
    if (answers.length > 0) await this.store.answer(taskId, Object.fromEntries(answers));
  }

  /** @throws RequestFault under the same conditions as `get()` */
  async cancel(taskId: string, client: TaskClient): Promise<void> {
    if (!isOver(await this.get(taskId, client))) await this.store.cancel(taskId);
  }
}
