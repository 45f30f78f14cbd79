import type { McpStoredTask } from './task-store.js';

/** A task as clients see it (SEP-2663, `DetailedTask`). Members that are undefined are not sent. */
export function shownTask({ owner: _owner, tool: _tool, ...shown }: McpStoredTask): object {
  return shown;
}

/** The answer to a call that became a task (SEP-2663, `CreateTaskResult`). */
export function createdTask(created: McpStoredTask): object {
  return { resultType: 'task', ...shownTask(created) };
}
