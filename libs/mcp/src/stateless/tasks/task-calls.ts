import type { Tool } from '../../catalogue/tool.js';
import type { RunCall, ToolCall } from '../../operations/extension.js';
import type { StatelessRequest } from '../stateless-request.js';
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
  request: StatelessRequest,
): (call: ToolCall, next: RunCall) => Promise<TaskAnswer> {
  return (call, next) => {
    if (knowsTasks(request.capabilities)) return tasks.call(tool, call.args, request, next);
    if (tool.task.required) throw tasksRequired();
    return next(call);
  };
}
