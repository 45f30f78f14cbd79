import type { Caller } from '../../calls/caller.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import type { McpMethod } from '../../operations/methods.js';
import { isRecord } from '../../schema/json-schema.js';
import type { StatelessRequest } from '../stateless-request.js';
import { knowsTasks, tasksRequired } from './task-capability.js';
import { shownTask } from './task-result.js';
import type { Tasks } from './tasks.js';

type TaskMethod = (id: string, caller: Caller, params: JsonObject) => Promise<object | void>;

/** The methods of tasks (SEP-2663). */
export function taskMethods({
  owned,
}: Tasks): readonly (readonly [string, McpMethod<StatelessRequest>])[] {
  const methods: Readonly<Record<string, TaskMethod>> = {
    'tasks/get': async (id, caller) => shownTask(await owned.get(id, caller)),
    'tasks/update': (id, caller, { inputResponses }) =>
      owned.update(id, isRecord(inputResponses) ? inputResponses : {}, caller),
    'tasks/cancel': (id, caller) => owned.cancel(id, caller),
  };
  return Object.entries(methods).map(([name, run]) => [
    name,
    async ({ params, capabilities, caller }) => {
      if (!knowsTasks(capabilities)) throw tasksRequired();
      return {
        kind: 'result',
        result: (await run(String(params['taskId']), caller, params)) ?? {},
      };
    },
  ]);
}
