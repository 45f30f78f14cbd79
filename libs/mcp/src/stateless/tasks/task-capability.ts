import {
  ErrorCode,
  type JsonObject,
  type JsonRpcRequest,
  RequestFault,
} from '../../messages/json-rpc.js';
import { isRecord } from '../../schema/json-schema.js';
import { CAPABILITIES_KEY, LISTEN } from '../envelope.js';

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

/** True if a client asks for changes of tasks, and does not declare that it knows tasks. */
export function listensInVain({ method, params = {} }: JsonRpcRequest): boolean {
  const { notifications, _meta: meta } = params;
  if (method !== LISTEN || !isRecord(notifications)) return false;
  const capabilities = isRecord(meta) ? meta[CAPABILITIES_KEY] : undefined;
  return (
    notifications['taskIds'] !== undefined && !(isRecord(capabilities) && knowsTasks(capabilities))
  );
}
