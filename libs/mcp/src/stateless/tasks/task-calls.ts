import type { Tool } from '../../catalogue/tool.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Answer } from '../../operations/answer.js';
import type { RunCall, ToolCall } from '../../operations/extension.js';
import type { McpMethod } from '../../operations/methods.js';
import { isRecord } from '../../schema/json-schema.js';
import type { StatelessPeer } from '../stateless-peer.js';
import { knowsTasks, tasksRequired } from './task-capability.js';
import type { TaskAnswer, Tasks, TaskTool } from './tasks.js';

/** Whether a call of a tool may become a task. */
export function isTaskTool(tool: { readonly kind: string }): tool is TaskTool {
  return tool.kind === 'tool' && (tool as Tool).task !== undefined;
}

/**
 * Returns a wrap for the call of a tool, which becomes a task if the client knows tasks. The wrap throws RequestFault if
 * the tool answers with tasks only, and the client does not know them.
 */
export function asTask(
  tasks: Tasks,
  tool: TaskTool,
  front: StatelessPeer,
): (call: ToolCall, next: RunCall) => Promise<TaskAnswer> {
  return (call, next) => {
    if (knowsTasks(front.capabilities)) return tasks.call(tool, call.args, front, next);
    if (tool.task.required) throw tasksRequired();
    return next(call);
  };
}

/**
 * Answers a call that the SDK received.
 * @param plainly answers it without a task
 * @throws RequestFault
 */
export async function callNamed(
  tasks: Tasks,
  params: JsonObject,
  peer: StatelessPeer,
  plainly: McpMethod,
): Promise<Answer<object> | TaskAnswer> {
  const { name, arguments: args } = params;
  const tool = await tasks.tools.find(String(name), peer.caller);
  if (!tool || !isTaskTool(tool)) return plainly(params, peer);
  const wrap = asTask(tasks, tool, peer);
  return tasks.tools.call(tool, isRecord(args) ? args : {}, peer, wrap);
}
