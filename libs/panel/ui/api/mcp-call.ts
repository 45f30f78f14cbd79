import { isRecord } from '@fledge-internal/ui/json';
import { byteLength } from '../format/number.js';
import { type Header, sendToApp } from './app-request.js';
import { messageOf, replyOf } from './mcp-message.js';
import { RequestError } from './panel-api.js';

type Json = Readonly<Record<string, unknown>>;

/** A question that a tool sends to the user (`elicitation/create`). */
export interface Question {
  readonly key: string;
  readonly message: string;
  /** Undefined for other kinds of questions, which the panel cannot answer. */
  readonly schema: Json | undefined;
}

/** A successful response to an MCP message. */
export interface McpAnswer {
  readonly result: Json;
  readonly bytes: number;
  readonly ms: number;
  /** Questions that the user must answer before the tool returns a result. */
  readonly questions: readonly Question[];
  /** State that must be sent back with the answers. */
  readonly requestState: string | undefined;
}

/** The endpoint that receives messages, and the headers to send. */
export interface McpTarget {
  readonly endpoint: string;
  readonly headers: readonly Header[];
  readonly signal?: AbortSignal;
}

/**
 * Sends a message to the application's MCP endpoint.
 * @throws RequestError with the error of the endpoint
 */
export async function callMcp(target: McpTarget, method: string, params: Json): Promise<McpAnswer> {
  const { endpoint, headers, signal } = target;
  const message = messageOf(method, params);
  const answer = await sendToApp({
    url: endpoint,
    method: 'POST',
    headers: [...headers, ...message.headers],
    body: JSON.stringify(message.body),
    ...(signal && { signal }),
  });
  const reply = replyOf(answer.contentType, answer.text);
  if (reply?.kind === 'result') {
    const { result } = reply;
    const { requestState } = result;
    return {
      result,
      bytes: resultBytes(result, answer.bytes),
      ms: answer.ms,
      questions: questionsOf(result),
      requestState: typeof requestState === 'string' ? requestState : undefined,
    };
  }
  throw new RequestError(refusalOf(answer.status, reply?.message));
}

function refusalOf(status: number, message: string | undefined): string {
  if (message !== undefined) return message;
  if (status === 401) return 'The endpoint answered 401. Add a header with a token in Send as.';
  return `The endpoint answered ${status} without a message of MCP.`;
}

/**
 * Returns the size in bytes of the text that a model reads. Without text, returns the size of the
 * whole response.
 */
function resultBytes({ content }: Json, whole: number): number {
  if (!Array.isArray(content)) return whole;
  const texts = content.map((block) => (isRecord(block) ? block['text'] : undefined));
  return byteLength(texts.filter((text) => typeof text === 'string').join(''));
}

function questionsOf({ inputRequests }: Json): readonly Question[] {
  if (!isRecord(inputRequests)) return [];
  return Object.entries(inputRequests).map(([key, request]) => {
    const params = isRecord(request) && isRecord(request['params']) ? request['params'] : {};
    const { message, requestedSchema } = params;
    return {
      key,
      message: typeof message === 'string' ? message : key,
      schema: isRecord(requestedSchema) ? requestedSchema : undefined,
    };
  });
}
