import { type Caller, mcpRequestOf } from '../../serve/call/caller.js';
import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';
import type { ExtendedEndpoint } from '../../serve/methods/extension.js';
import { isRecord } from '../../publish/schema/json-schema.js';
import { isOver, type McpStoredTask, type McpTasks } from './task-store.js';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Gives a client access to its own tasks. The client must still be allowed to call the tool of the
 * task.
 */
export class OwnedTasks {
  constructor(
    private readonly store: McpTasks,
    private readonly endpoint: Pick<ExtendedEndpoint, 'tools' | 'keyOf'>,
  ) {}

  /** @throws RequestFault if the caller has no such task, or if the store cannot be reached */
  async get(taskId: string, caller: Caller): Promise<McpStoredTask> {
    const { tools, keyOf } = this.endpoint;
    const stored = UUID.test(taskId) ? await this.store.read(taskId) : undefined;
    const isOwner = stored?.owner === keyOf(caller);
    const tool = isOwner && (await tools.find(stored.tool, mcpRequestOf(caller)));
    if (!isOwner || !tool) throw new RequestFault(ErrorCode.InvalidParams, 'Unknown task');
    const lacking = tool.scopes.filter((scope) => !caller.principal?.scopes?.includes(scope));
    if (lacking.length === 0) return stored;
    throw new RequestFault(
      ErrorCode.Refused,
      `Forbidden: This request requires the scopes ${lacking.join(' ')}`,
    );
  }

  /**
   * Passes answers to a task. Ignores answers to unknown questions, and answers that are not
   * objects.
   * @throws RequestFault under the same conditions as `get()`
   */
  async update(taskId: string, responses: JsonObject, caller: Caller): Promise<void> {
    const { inputRequests = {} } = await this.get(taskId, caller);
    const answers = Object.entries(responses).filter(
      (answer): answer is [string, object] =>
        Object.hasOwn(inputRequests, answer[0]) && isRecord(answer[1]),
    );
    if (answers.length > 0) await this.store.answer(taskId, Object.fromEntries(answers));
  }

  /** @throws RequestFault under the same conditions as `get()` */
  async cancel(taskId: string, caller: Caller): Promise<void> {
    if (!isOver(await this.get(taskId, caller))) await this.store.cancel(taskId);
  }
}
