import type { Redis } from 'ioredis';
import type { McpTaskStore } from '../options/task-store.js';
import { SharedTasks } from './shared-tasks.js';

export interface RedisTaskOptions {
  /**
   * Its duplicates connect, two for each endpoint; it sends nothing itself. The application closes it. A client that
   * is made with `lazyConnect: true` needs no connection of its own.
   */
  readonly client: Redis;
  /** Start of the names of keys and channels. Applications on one Redis need different ones. @default 'fledge:mcp' */
  readonly prefix?: string;
}

/**
 * Keeps tasks in Redis, so that any process of an application answers for the tasks of all. Needs Redis 7 or Valkey.
 *
 * @example
 * ```ts
 * McpModule.forRoot({ name: 'task-api', tasks: { store: redisTasks({ client: new Redis() }) } })
 * ```
 */
export function redisTasks({ client, prefix = 'fledge:mcp' }: RedisTaskOptions): McpTaskStore {
  return {
    connect: async (endpoint) => {
      const tasks = new SharedTasks(client, `{${prefix}:tasks:${endpoint.path}}`, endpoint);
      await tasks.start();
      return tasks;
    },
  };
}
