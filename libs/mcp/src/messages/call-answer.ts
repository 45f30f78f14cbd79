import type { CallAnswer } from '../observe/call-watch.js';
import { isRecord } from '../schema/json-schema.js';
import type { JsonObject, RequestId } from './json-rpc.js';

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/**
 * What a JSON-RPC answer says about its call. Undefined if the message is not an answer. The acknowledgment of
 * `subscriptions/listen` counts as one: its answer is sent when the client stops listening, maybe days later.
 */
export function answerFactsOf(message: unknown): Omit<CallAnswer, 'bytes'> | undefined {
  if (!isRecord(message)) return undefined;
  const { error, result, method } = message;
  if (method === ACKNOWLEDGED) return { outcome: 'ok' };
  if (isRecord(error)) {
    const code = typeof error['code'] === 'number' ? error['code'] : String(error['code']);
    return { outcome: 'error', error: { code, text: String(error['message']) } };
  }
  if (!isRecord(result)) return undefined;
  if (result['resultType'] === 'input_required') return { outcome: 'input-required' };
  return result['isError'] === true ? toolErrorOf(result['content']) : { outcome: 'ok' };
}

/** The id of the request that a message answers. */
export function answeredIdOf(message: JsonObject): RequestId | undefined {
  const { id, method, params } = message;
  if (method === undefined) return id as RequestId | undefined;
  const meta = isRecord(params) && method === ACKNOWLEDGED ? params['_meta'] : undefined;
  const key = 'io.modelcontextprotocol/subscriptionId';
  return isRecord(meta) ? (meta[key] as RequestId | undefined) : undefined;
}

/** @param code the code of the route's error, if it has one */
export function toolErrorOf(content: unknown, code = 'tool_error'): Omit<CallAnswer, 'bytes'> {
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isRecord(first) && typeof first['text'] === 'string' ? first['text'] : '';
  return { outcome: 'error', error: { code, text } };
}
