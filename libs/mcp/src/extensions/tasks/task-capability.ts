import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';
import { isRecord } from '../../publish/schema/json-schema.js';

/** Identifier of the extension (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Whether a client takes a task as the answer of a call. */
export function knowsTasks({ extensions }: JsonObject): boolean {
  return isRecord(extensions) && isRecord(extensions[TASKS_EXTENSION]);
}

/** The error for a client that declares no tasks, where there is no other answer. */
export function tasksRequired(): RequestFault {
  return new RequestFault(
    ErrorCode.MissingClientCapability,
    `Missing required client capability: ${TASKS_EXTENSION}`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}
