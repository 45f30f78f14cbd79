import type { Peer, Question } from '../call/peer.js';
import type { ListJson } from '../../publish/catalogue/published-list.js';
import type { AnswerOutcome } from '../observe/call-watch.js';
import { routeErrorIn, type ToolResult } from '../results/tool-result.js';

/** The answer to an MCP request, in every revision. */
export type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  /**
   * Revision 2026-07-28: the client must answer these first. `result` is what the route returned without
   * the answers.
   */
  | {
      readonly kind: 'input-required';
      readonly questions: readonly Question[];
      readonly result: Result | undefined;
    };

/** What a method responds. */
export type MethodAnswer =
  | Answer<object>
  /** The JSON of a list, ready to be sent. */
  | { readonly kind: 'list'; readonly json: ListJson }
  | TypedAnswer;

/** Revision 2026-07-28: a result with a `resultType`. */
export interface TypedAnswer {
  readonly kind: 'typed';
  readonly result: object;
}

/** The answer of a completed call: the questions to the client if there are any, otherwise its result. */
export function answerOf<Result>({ demand }: Peer, result: Result): Answer<Result> {
  return demand
    ? { kind: 'input-required', questions: demand, result }
    : { kind: 'result', result };
}

/** What an answer says of its call, for observers. */
export function outcomeOf(answer: MethodAnswer): AnswerOutcome {
  if (answer.kind === 'input-required') return { outcome: 'input-required' };
  const result: Partial<ToolResult> | undefined =
    answer.kind === 'result' ? answer.result : undefined;
  if (!result?.isError) return { outcome: 'ok' };
  const [first] = result.content ?? [];
  const text = first?.type === 'text' ? first.text : '';
  return { outcome: 'error', error: { code: routeErrorIn(result)?.code ?? 'tool_error', text } };
}

/** Result of `resources/read` (MCP 2025-11-25, `ReadResourceResult`). */
export interface ReadResult {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: string;
    readonly text?: string;
    readonly blob?: string;
    readonly _meta?: object;
  }[];
}

/**
 * Runs what may ask the client. If the client of 2026-07-28 must answer first, it runs again with the answers, so its
 * error does not count.
 */
export async function askingAnswer<Result>(
  peer: Peer,
  run: () => Promise<Result>,
): Promise<Answer<Result>> {
  try {
    return answerOf(peer, await run());
  } catch (error) {
    const { demand } = peer;
    if (demand) return { kind: 'input-required', questions: demand, result: undefined };
    throw error;
  }
}
