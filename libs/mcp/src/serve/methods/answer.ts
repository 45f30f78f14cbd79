import type { Peer, Question } from '../call/peer.js';
import type { ListJson } from '../../publish/catalogue/published-list.js';
import type { AnswerOutcome } from '../observe/call-watch.js';
import { routeErrorIn, type ToolResult } from '../results/tool-result.js';

/** The response to an MCP request, for all protocol versions. */
export type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  /**
   * For MCP 2026-07-28: the client must first answer these questions. `result` is the result of the
   * route without the answers.
   */
  | {
      readonly kind: 'input-required';
      readonly questions: readonly Question[];
      readonly result: Result | undefined;
    };

export type MethodAnswer =
  | Answer<object>
  /** A list as JSON that is ready to be sent. */
  | { readonly kind: 'list'; readonly json: ListJson }
  | TypedAnswer;

/** For MCP 2026-07-28: a result with a `resultType`. */
export interface TypedAnswer {
  readonly kind: 'typed';
  readonly result: object;
}

/** If the route asked questions, the response contains the questions instead of the result. */
export function answerOf<Result>({ demand }: Peer, result: Result): Answer<Result> {
  return demand
    ? { kind: 'input-required', questions: demand, result }
    : { kind: 'result', result };
}

/** Returns the outcome that observers receive for a response. */
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
 * Runs code that may ask the client. If the client sends the answers with another request, returns
 * the questions instead of an error. When the answers arrive, the code runs again.
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
