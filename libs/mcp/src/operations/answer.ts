import type { Peer, Question } from '../calls/peer.js';

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

/** The answer of a completed call: the questions to the client if there are any, otherwise its result. */
export function answerOf<Result>({ demand }: Peer, result: Result): Answer<Result> {
  return demand
    ? { kind: 'input-required', questions: demand, result }
    : { kind: 'result', result };
}
