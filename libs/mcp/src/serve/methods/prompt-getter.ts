import { isObject, objectOf } from '@fledge-internal/options';
import { Logger } from '@nestjs/common';
import type { Caller } from '../call/caller.js';
import type { Dispatcher } from '../call/dispatcher.js';
import type { Peer } from '../call/peer.js';
import type { PublishedList } from '../../publish/catalogue/published-list.js';
import { listedPrompt, type Prompt } from '../../publish/catalogue/prompt.js';
import type { Texts } from '../../publish/arguments/text-arguments.js';
import { ErrorCode, parsedJson, RequestFault, shortened } from '../protocol/json-rpc.js';
import { type Answer, askingAnswer } from './answer.js';
import type { ClientRequest, Target } from './client-request.js';
import { cleanerIn } from './extended-list.js';
import type { NamedExtension } from './extension.js';
import type { LocalPrompt } from './local-items.js';
import { goodResponseOf } from '../results/good-response.js';
import type { CallResponse } from '../call/recording.js';
import { isContentBlock, type McpContentBlock } from '../results/tool-result.js';
import { decodedBody, isCut, isText } from '../results/response-body.js';

export class PromptGetter {
  /** The entries of `prompts/list`. */
  listed!: PublishedList<Prompt>;
  private readonly logger = new Logger('McpModule');
  private local: readonly LocalPrompt[] = [];

  constructor(
    private readonly published: PublishedList<Prompt>,
    private readonly dispatcher: Dispatcher,
    private readonly extensions: readonly NamedExtension[],
  ) {
    this.refresh();
  }

  /** True if no route publishes a prompt. */
  get isEmpty(): boolean {
    return this.published.all.length === 0;
  }

  /** Reads the prompts of the extensions again. */
  refresh(): void {
    this.local = this.extensions.flatMap(({ prompts = [] }) => prompts);
    const clean = cleanerIn(this.extensions);
    this.listed = this.published.changed(listedPrompt, { added: this.local, kinds: [], clean });
  }

  /** Returns undefined if the prompt does not exist or is hidden from the caller. */
  async find(name: string, caller: Caller): Promise<Target | undefined> {
    const request = caller.request;
    const prompt = await this.published.find(name, request);
    if (prompt) return { kind: 'prompt', prompt };
    const local = this.local.find(({ key }) => key === name);
    if (!local || !(await this.published.isVisible(local.definition, request))) return undefined;
    return { kind: 'local-prompt', prompt: local };
  }

  /** @throws RequestFault if the prompt does not exist or cannot be created */
  async answer(request: ClientRequest): Promise<Answer<object>> {
    const { target, params } = request;
    const args = objectOf(params['arguments']);
    switch (target?.kind) {
      case 'prompt':
        return this.get(target.prompt, args as Texts, request);
      case 'local-prompt':
        request.caller.watch?.runsLocally();
        return askingAnswer(request, () => target.prompt.get(args, request));
      default:
        throw unknownPrompt(String(params['name']));
    }
  }

  private async get(prompt: Prompt, texts: Texts, peer: Peer): Promise<Answer<PromptResult>> {
    const outcome = await this.dispatcher.runTexts(prompt, texts, peer);
    const { demand } = peer;
    if (demand) return { kind: 'input-required', questions: demand, result: undefined };
    const what = `prompt "${prompt.name}"`;
    const result = promptResultOf(prompt, goodResponseOf(what, outcome));
    if (result) return { kind: 'result', result };
    this.logger.warn(
      `${prompt.route.label} is a prompt but returned no messages. Return a string, a list of ` +
        `{ role: 'user' | 'assistant', content }, or { messages, description? }.`,
    );
    throw new RequestFault(ErrorCode.InternalError, `${what} returned no messages`);
  }
}

/** Returns the error for a prompt that does not exist or is hidden from the caller. */
export function unknownPrompt(name: string): RequestFault {
  return new RequestFault(ErrorCode.InvalidParams, `Unknown prompt: ${shortened(name)}`);
}

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
 * Converts the response of a prompt's route to messages. A string becomes one user message. An
 * array contains messages. The content of each message is a string or a content block. An object
 * contains such an array or a string in `messages`, and may have a `description`. Returns undefined
 * for any other response.
 */
function promptResultOf(prompt: Prompt, response: CallResponse): PromptResult | undefined {
  if (isCut(response) || !isText(response)) return undefined;
  const text = decodedBody(response);
  const value = parsedJson(text) ?? text;
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
