import type { CallAnswer } from '../observe/call-watch.js';
import { isRecord } from '../schema/json-schema.js';

/** What a JSON-RPC answer says about its call. Undefined if the message is not an answer. */
export function answerFactsOf(message: unknown): Omit<CallAnswer, 'bytes'> | undefined {
  if (!isRecord(message)) return undefined;
  const { error, result } = message;
  if (isRecord(error)) {
    const code = typeof error['code'] === 'number' ? error['code'] : String(error['code']);
    return { outcome: 'error', error: { code, text: String(error['message']) } };
  }
  if (!isRecord(result)) return undefined;
  if (result['resultType'] === 'input_required') return { outcome: 'input-required' };
  return result['isError'] === true ? toolErrorOf(result['content']) : { outcome: 'ok' };
}

/** @param code the code of the route's error, if it has one */
export function toolErrorOf(content: unknown, code = 'tool_error'): Omit<CallAnswer, 'bytes'> {
  const [first] = Array.isArray(content) ? (content as unknown[]) : [];
  const text = isRecord(first) && typeof first['text'] === 'string' ? first['text'] : '';
  return { outcome: 'error', error: { code, text } };
}
