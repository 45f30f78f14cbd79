import type { CallResponse } from '../call/recording.js';
import type { Dispatcher } from '../call/dispatcher.js';
import type { Operation } from '../../publish/catalogue/operation.js';
import { type JsonObject, parsedJson } from '../protocol/json-rpc.js';
import { type Answer, answerOf } from './answer.js';
import type { ClientRequest, Target } from './client-request.js';
import type { LocalPrompt } from './local-items.js';
import { goodResponseOf, resourceNotFound } from '../results/good-response.js';
import { unknownPrompt } from './prompt-getter.js';
import { decodedBody, isCut } from '../results/response-body.js';

/** A request to complete an argument (MCP 2025-11-25, `CompleteRequest`). */
export interface CompletionRequest {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** Values of other arguments that the user has already entered. */
  readonly known: Readonly<Record<string, string>>;
}

/** Result of `completion/complete` (MCP 2025-11-25, `CompleteResult`). */
interface CompletionResult {
  readonly completion: {
    readonly values: readonly string[];
    readonly total: number;
    readonly hasMore: boolean;
  };
}

/** Maximum number of values in a response (MCP 2025-11-25, Completion). */
const MOST_VALUES = 100;

export class Completer {
  constructor(private readonly dispatcher: Dispatcher) {}

  /**
   * Returns no values if no route completes the argument.
   * @throws RequestFault if the prompt or template does not exist, or if the route returns an error
   */
  async complete(completion: CompletionRequest, request: ClientRequest): Promise<Answer<object>> {
    const { argument, known } = completion;
    const { target, params } = request;
    if (target?.kind === 'local-prompt') return completeLocally(target.prompt, params, request);
    if (target?.kind === 'local-template') return completeLocally(target.template, params, request);
    const operation = completionsOf(completion, request.target).get(argument.name);
    if (!operation) return { kind: 'result', result: resultOf([]) };
    const texts = declaredBy(operation, { ...known, value: argument.value });
    const outcome = await this.dispatcher.runTexts(operation, texts, request);
    const response = goodResponseOf(`completion of "${argument.name}"`, outcome);
    return answerOf(request, resultOf(textsOf(response)));
  }
}

async function completeLocally(
  { complete }: Pick<LocalPrompt, 'complete'>,
  params: JsonObject,
  request: ClientRequest,
): Promise<Answer<object>> {
  return { kind: 'result', result: (await complete?.(params, request)) ?? resultOf([]) };
}

function completionsOf(
  { ref }: CompletionRequest,
  target: Target | undefined,
): ReadonlyMap<string, Operation> {
  if (target?.kind === 'prompt') return target.prompt.completions;
  if (target?.kind === 'template') return target.template.completions;
  throw ref.type === 'ref/prompt' ? unknownPrompt(ref.name) : resourceNotFound(ref.uri);
}

/** Selects the values of arguments that the route has as parameters. */
function declaredBy(
  { input }: Operation,
  texts: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = new Set(input.places.map(({ argument }) => argument));
  return Object.fromEntries(Object.entries(texts).filter(([name]) => names.has(name)));
}

/** Returns the strings and numbers in a JSON array. Ignores all other items. */
function textsOf(response: CallResponse): string[] {
  const value = isCut(response) ? undefined : parsedJson(decodedBody(response));
  if (!Array.isArray(value)) return [];
  return value
    .filter((each) => typeof each === 'string' || typeof each === 'number')
    .map((each) => String(each));
}

function resultOf(values: readonly string[]): CompletionResult {
  return {
    completion: {
      values: values.slice(0, MOST_VALUES),
      total: values.length,
      hasMore: values.length > MOST_VALUES,
    },
  };
}
