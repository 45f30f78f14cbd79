import type { McpTaskStore } from '../extensions/tasks/task-store.js';
import { readRedisOptions, type RedisTaskOptions } from './redis-options.js';
import { SharedTasks } from './shared-tasks.js';

/**
 * Keeps tasks in Redis, so that any process of an application answers for the tasks of all. Needs Redis 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', tasks: { store: redisTasks({ client: new Redis() }) } })
 * ```
 */
export function redisTasks(options: RedisTaskOptions): McpTaskStore {
  const { client, prefix } = readRedisOptions(options, 'redisTasks');
  return {
    connect: async (endpoint) => {
      const tasks = new SharedTasks(client, `{${prefix}:tasks:${endpoint.path}}`, endpoint);
      await tasks.start();
      return tasks;
    },
  };
}
