import type { CallResponse } from '../dispatch/call.js';
import type { Prompt } from '../registry/prompt.js';
import { isContentBlock, type McpContentBlock } from './content-block.js';
import { isTooDeep } from './json-depth.js';
import { isObject } from './json-rpc.js';
import { isCut, isText, mimeTypeOf, parsedJson } from './response-body.js';

/** Result of `prompts/get` (MCP 2025-11-25, `GetPromptResult`). */
export interface PromptResult {
  readonly description: string;
  readonly messages: readonly PromptMessage[];
}

interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: McpContentBlock;
}

/**
 * The messages of a prompt's response: a text is one message of the user's; a list holds messages
 * whose content is a text or a content block; an object may add a description. Undefined where the
 * response is none of these.
 */
export function promptResultOf(prompt: Prompt, response: CallResponse): PromptResult | undefined {
  const mimeType = mimeTypeOf(response);
  if (isCut(response) || !isText(mimeType)) return undefined;
  const text = response.body.toString('utf8');
  const value = isTooDeep(text) ? text : (parsedJson(text) ?? text);
  const { description } = prompt;
  if (isObject(value)) {
    const messages = messagesOf(value['messages']);
    const own = value['description'];
    return messages && { description: typeof own === 'string' ? own : description, messages };
  }
  const messages = messagesOf(value);
  return messages && { description, messages };
}

function messagesOf(value: unknown): readonly PromptMessage[] | undefined {
  if (typeof value === 'string') return [{ role: 'user', content: { type: 'text', text: value } }];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value.flatMap((message) => messageOf(message) ?? []);
  return messages.length === value.length ? messages : undefined;
}

function messageOf(value: unknown): PromptMessage | undefined {
  if (!isObject(value)) return undefined;
  const { role, content } = value;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (typeof content === 'string') return { role, content: { type: 'text', text: content } };
  return isContentBlock(content) ? { role, content } : undefined;
}
