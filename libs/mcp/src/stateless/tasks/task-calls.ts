import type { Tool } from '../../catalogue/tool.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { Answer } from '../../operations/answer.js';
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
 * Whether a call becomes a task, if the tool and the client allow it.
 * @throws RequestFault if the tool answers with tasks only, and the client does not know them
 */
function takesTask(
  tool: { readonly kind: string },
  { capabilities }: StatelessPeer,
): tool is TaskTool {
  if (!isTaskTool(tool)) return false;
  if (knowsTasks(capabilities)) return true;
  if (tool.task.required) throw tasksRequired();
  return false;
}

/** Calls a tool whose calls become tasks for clients that know them. */
export async function runTaskTool(
  tasks: Tasks,
  tool: TaskTool,
  args: JsonObject,
  peer: StatelessPeer,
): Promise<TaskAnswer> {
  return takesTask(tool, peer)
    ? await tasks.call(tool, args, peer)
    : await tasks.callPlainly(tool, args, peer);
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
  const tool = await tasks.find(String(name), peer.caller);
  if (!tool || !takesTask(tool, peer)) return plainly(params, peer);
  return tasks.call(tool, isRecord(args) ? args : {}, peer);
}
