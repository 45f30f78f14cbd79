import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../../calls/caller.js';
import type { JsonObject } from '../../messages/json-rpc.js';
import { isRecord } from '../../schema/json-schema.js';
import { CAPABILITIES_KEY } from '../envelope.js';
import { knowsTasks, tasksRequired } from './task-capability.js';
import { shownTask } from './task-result.js';
import type { Tasks } from './tasks.js';

interface TaskParams {
  readonly taskId: string;
}

/** What the SDK checks parameters with. */
const PARAMS = {
  '~standard': {
    version: 1,
    vendor: 'fledge',
    validate: (value: unknown) =>
      isRecord(value) && typeof value['taskId'] === 'string'
        ? { value: { taskId: value['taskId'] } }
        : { issues: [{ message: 'taskId must be a text', path: ['taskId'] }] },
  },
} as const;

/**
 * Answers the methods of tasks.
 * @param run turns a RequestFault into the error of the SDK
 */
export function answerTaskMethods(
  server: Server,
  tasks: Tasks,
  callerOf: (context: ServerContext) => Caller,
  run: <Result>(context: ServerContext, answering: () => Promise<Result>) => Promise<Result>,
): void {
  const methods: Readonly<
    Record<string, (id: string, caller: Caller, responses: JsonObject) => Promise<object>>
  > = {
    'tasks/get': async (id, caller) => shownTask(await tasks.owned.get(id, caller)),
    'tasks/update': async (id, caller, responses) => {
      await tasks.owned.update(id, responses, caller);
      return {};
    },
    'tasks/cancel': async (id, caller) => {
      await tasks.owned.cancel(id, caller);
      return {};
    },
  };
  for (const [method, answer] of Object.entries(methods)) {
    server.setRequestHandler(method, { params: PARAMS }, (params, context) =>
      run(context, async () => {
        const { mcpReq } = context;
        const capabilities = (mcpReq.envelope as JsonObject | undefined)?.[CAPABILITIES_KEY];
        if (!isRecord(capabilities) || !knowsTasks(capabilities)) throw tasksRequired();
        const { taskId } = params as TaskParams;
        return (await answer(taskId, callerOf(context), mcpReq.inputResponses ?? {})) as never;
      }),
    );
  }
}
