import { isObject } from '@fledge-internal/options';
import { McpOptionError } from '../../mcp.errors.js';
import { type AddedMethod, CallFault, type McpExtension } from '../../serve/methods/extension.js';
import { REVISION } from '../../serve/revisions/message-revision.js';
import { OwnedTasks, type TaskClient } from './owned-tasks.js';
import { RunningTasks } from './running-tasks.js';
import { knowsTasks, TASKS_EXTENSION, tasksRequired } from './task-capability.js';
import {
  type ResolvedTasks,
  type ResolvedToolTask,
  TASK_TOOL_OPTION,
  TASKS_OPTION,
  type TasksOption,
  type ToolTask,
} from './task-options.js';
import type { JsonSchema } from '../../publish/decorators/author-schema.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';
import { paramsSchema } from '../../serve/methods/params-check.js';
import { shownTask } from './task-result.js';

/** Lets calls continue after their request has ended. Clients poll these calls (SEP-2663). */
export const tasks: McpExtension<TasksOption['tasks'], ResolvedTasks, ResolvedToolTask, ToolTask> =
  {
    name: 'tasks',
    option: TASKS_OPTION.tasks,
    scope: 'module',
    author: { tool: TASK_TOOL_OPTION },

    publish: ({ ttlMs }) => ({
      tool({ route, timeoutMs }, { task }) {
        if (task === undefined) return undefined;
        if (timeoutMs <= ttlMs) return { data: task };
        throw new McpOptionError(
          `@McpTool({ timeoutMs }) on ${route.label} is ${timeoutMs}, but tasks are deleted after ${ttlMs} ms. Raise ` +
            'McpModule.forRoot({ tasks: { ttlMs } }).',
        );
      },
    }),

    async create(options, endpoint) {
      if (endpoint.data.size === 0) return undefined;
      const running = await RunningTasks.connect(options, endpoint.path);
      return {
        since: REVISION,
        capabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        methods: taskMethods(new OwnedTasks(running.store, endpoint.tools)),
        around: (tool, task) => (call, next) => {
          const { peer } = call;
          if (peer.revision < REVISION) {
            if (!task.required) return next(call);
            throw new CallFault(
              `"${tool.name}" requires a client that supports the extension ${TASKS_EXTENSION}.`,
            );
          }
          if (knowsTasks(peer.capabilities)) return running.call(tool, task, call, next);
          if (task.required) throw tasksRequired();
          return next(call);
        },
        stop: () => running.stop(),
        close: () => running.close(),
      };
    },
  };

/** Returns the methods of the tasks extension (SEP-2663). */
function taskMethods(owned: OwnedTasks): Readonly<Record<string, AddedMethod>> {
  return {
    'tasks/get': method(async (id, client) => shownTask(await owned.get(id, client))),
    'tasks/update': method(
      (id, client, { inputResponses }) =>
        owned.update(id, isObject(inputResponses) ? inputResponses : {}, client),
      { inputResponses: { type: 'object' } },
    ),
    'tasks/cancel': method((id, client) => owned.cancel(id, client)),
    'subscriptions/listen': {
      run({ params: { notifications }, capabilities }, listen) {
        const asksForTasks = isObject(notifications) && notifications['taskIds'] !== undefined;
        if (asksForTasks && !knowsTasks(capabilities)) throw tasksRequired();
        return listen();
      },
    },
  };
}

function method(
  run: (id: string, client: TaskClient, params: JsonObject) => Promise<object | void>,
  optional?: JsonSchema,
): AddedMethod {
  return {
    params: paramsSchema({ taskId: { type: 'string' } }, optional),
    named: 'taskId',
    async run({ params, capabilities, caller }, _next, requireScopes) {
      if (!knowsTasks(capabilities)) throw tasksRequired();
      const result = await run(String(params['taskId']), { caller, requireScopes }, params);
      return { kind: 'result', result: result ?? {} };
    },
  };
}
