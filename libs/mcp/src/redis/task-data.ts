import { isObject } from '@fledge-internal/options';
import { isOver, type McpStoredTask, type McpTaskAnswers } from '../extensions/tasks/task-store.js';

type Fields = Readonly<Record<string, string>>;

/** Returns the fields of a task that never change, as JSON. Omits the owner. */
export function fixedOf({ taskId, tool, createdAt, ttlMs, pollIntervalMs }: McpStoredTask): string {
  return JSON.stringify({ taskId, tool, createdAt, ttlMs, pollIntervalMs });
}

/**
 * Returns the fields of a task that change: status, status message, and time of the change. The
 * last item is JSON with all other changing fields.
 */
export function changingOf(task: McpStoredTask): string[] {
  const { status, statusMessage = '', lastUpdatedAt, inputRequests, result, error } = task;
  return [status, statusMessage, lastUpdatedAt, JSON.stringify({ inputRequests, result, error })];
}

/** Returns the milliseconds until a task is deleted. */
export function leftOf({ createdAt, ttlMs }: McpStoredTask): number {
  return Math.ceil(Date.parse(createdAt) + ttlMs - Date.now());
}

/**
 * Parses a task. Returns undefined if the fields are invalid: other Redis clients may also write to
 * the key.
 */
export function taskIn(taskId: string, fields: Fields): McpStoredTask | undefined {
  const { owner, status, message: statusMessage, updated: lastUpdatedAt } = fields;
  const { inputRequests, result, error } = objectIn(fields['detail']);
  const { tool, createdAt, ttlMs, pollIntervalMs } = objectIn(fields['fixed']);
  const facts = { taskId, owner, tool, status, statusMessage, createdAt, lastUpdatedAt };
  const task = { ...facts, ttlMs, pollIntervalMs, inputRequests, result, error } as McpStoredTask;
  return isTask(task) ? task : undefined;
}

/** Parses the answers. Omits invalid answers. */
export function answersIn(fields: Fields): McpTaskAnswers {
  const answers = Object.entries(fields).map(([key, json]) => [key, parsed(json)] as const);
  return Object.fromEntries(answers.filter(([, answer]) => isObject(answer))) as McpTaskAnswers;
}

/**
 * A message to the process that runs a task. `answered`: the client answered a question. `ended`:
 * the task has ended.
 */
export interface TaskNotice {
  readonly id: string;
  readonly kind: 'answered' | 'ended';
}

export function noticeIn(text: string): TaskNotice | undefined {
  const { id, kind } = objectIn(text);
  const isNotice = typeof id === 'string' && (kind === 'answered' || kind === 'ended');
  return isNotice ? { id, kind } : undefined;
}

function isTask(task: McpStoredTask): boolean {
  const { owner, tool, status, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return (
    [owner, tool, createdAt, lastUpdatedAt].every((text) => typeof text === 'string') &&
    [ttlMs, pollIntervalMs].every((number) => typeof number === 'number') &&
    (isOver(task) || status === 'working' || status === 'input_required') &&
    isObject(task.inputRequests) === (status === 'input_required') &&
    isObject(task.result) === (status === 'completed') &&
    isObject(task.error) === (status === 'failed')
  );
}

function objectIn(json: string | undefined): Readonly<Record<string, unknown>> {
  const value = parsed(json ?? '');
  return isObject(value) ? value : {};
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
