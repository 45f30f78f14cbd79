import { isObject } from '@fledge-internal/options';
import { ErrorCode, type JsonObject, RequestFault } from '../../serve/protocol/json-rpc.js';

/** Identifier of the extension (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Returns true if a client accepts a task as the result of a call. */
export function knowsTasks({ extensions }: JsonObject): boolean {
  return isObject(extensions) && isObject(extensions[TASKS_EXTENSION]);
}

/** The error if a tool requires tasks and the client does not support them. */
export function tasksRequired(): RequestFault {
  return new RequestFault(
    ErrorCode.MissingClientCapability,
    `Missing required client capability: ${TASKS_EXTENSION}`,
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  );
}
