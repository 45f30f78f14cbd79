import type { McpStoredTask } from './task-store.js';

/**
 * Returns a task in the form that clients receive (SEP-2663, `DetailedTask`). Undefined fields are
 * not sent.
 */
export function shownTask({ owner: _owner, tool: _tool, ...shown }: McpStoredTask): object {
  return shown;
}

/** Returns the result of a call that became a task (SEP-2663, `CreateTaskResult`). */
export function createdTask(created: McpStoredTask): object {
  return { resultType: 'task', ...shownTask(created) };
}
