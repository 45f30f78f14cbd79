import { Injectable, Logger } from '@nestjs/common';
import { type Caller, mcpRequestOf } from '../dispatch/call.js';
import type { CallPeer } from '../live/call-peer.js';
import { Catalogue } from '../registry/catalogue.js';
import type { ListJson } from '../registry/published.list.js';
import type { Prompt } from '../registry/prompt.js';
import { argumentsOfTexts, type Texts } from '../schema/text-arguments.js';
import { abortable } from './abortable.js';
import { ErrorCode } from './json-rpc.js';
import { OperationRunner } from './operation.runner.js';
import { type PromptResult, promptResultOf } from './prompt-result.js';
import { goodResponseOf, RequestFault } from './request-fault.js';
import { shortened } from './shortened.js';

/** Answers `prompts/*`, whatever revision and transport they came by. */
@Injectable()
export class PromptGetter {
  private readonly logger = new Logger('McpModule');
  private prompts = new Catalogue().prompts;

  constructor(private readonly runner: OperationRunner) {}

  prepare({ prompts }: Catalogue): void {
    this.prompts = prompts;
  }

  get isEmpty(): boolean {
    return this.prompts.all.length === 0;
  }

  /** JSON of the `prompts/list` result. */
  listJson(caller: Caller): Promise<ListJson> {
    return this.prompts.json(mcpRequestOf(caller));
  }

  /** The prompt of a name, where there is one that the caller may see. */
  find(name: string, caller: Caller): Promise<Prompt | undefined> {
    return this.prompts.find(name, mcpRequestOf(caller));
  }

  /** @throws RequestFault where there is no such prompt, or its route says no */
  async get(
    name: string,
    texts: Texts,
    caller: Caller,
    peer: CallPeer,
    signal: AbortSignal,
  ): Promise<PromptResult | undefined> {
    const prompt = await this.find(name, caller);
    if (!prompt) throw unknownPrompt(name);
    const args = argumentsOfTexts(prompt.input.schema, texts);
    const run = this.runner.run(prompt, args, caller, peer);
    const outcome = await abortable(run, run.outcome, signal);
    if (peer.demand) return undefined;
    const what = `prompt "${name}"`;
    const result = promptResultOf(prompt, goodResponseOf(what, outcome));
    if (result) return result;
    this.logger.warn(
      `${prompt.route.label} is a prompt but answered no messages. Return a text, a list of ` +
        `{ role: 'user' | 'assistant', content }, or { messages, description? }.`,
    );
    throw new RequestFault(ErrorCode.InternalError, `${what} answered no messages`);
  }
}

/** Where there is no such prompt, or none the caller may see. */
export function unknownPrompt(name: string): RequestFault {
  return new RequestFault(ErrorCode.InvalidParams, `Unknown prompt: ${shortened(name)}`);
}
