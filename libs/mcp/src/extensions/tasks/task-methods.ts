import type { Caller } from '../../calls/caller.js';
import type { JsonSchema } from '../../decorators/author-schema.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { AddedMethod } from '../../operations/extension.js';
import { paramsSchema } from '../../operations/params-check.js';
import { isRecord } from '../../schema/json-schema.js';
import type { OwnedTasks } from './owned-tasks.js';
import { knowsTasks, tasksRequired } from './task-capability.js';
import { shownTask } from './task-result.js';

/** The methods of tasks (SEP-2663). */
export function taskMethods(owned: OwnedTasks): Readonly<Record<string, AddedMethod>> {
  return {
    'tasks/get': method(async (id, caller) => shownTask(await owned.get(id, caller))),
    'tasks/update': method(
      (id, caller, { inputResponses }) =>
        owned.update(id, isRecord(inputResponses) ? inputResponses : {}, caller),
      { inputResponses: { type: 'object' } },
    ),
    'tasks/cancel': method((id, caller) => owned.cancel(id, caller)),
    'subscriptions/listen': {
      run({ params: { notifications }, capabilities }, listen) {
        const asksForTasks = isRecord(notifications) && notifications['taskIds'] !== undefined;
        if (asksForTasks && !knowsTasks(capabilities)) throw tasksRequired();
        return listen();
      },
    },
  };
}

function method(
  run: (id: string, caller: Caller, params: JsonObject) => Promise<object | void>,
  optional?: JsonSchema,
): AddedMethod {
  return {
    params: paramsSchema({ taskId: { type: 'string' } }, optional),
    named: 'taskId',
    async run({ params, capabilities, caller }) {
      if (!knowsTasks(capabilities)) throw tasksRequired();
      const result = await run(String(params['taskId']), caller, params);
      return { kind: 'result', result: result ?? {} };
    },
  };
}
