import type { Peer, Question } from '../calls/peer.js';

/** How a request of MCP is answered, whatever its revision. */
export type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  /** Of 2026-07-28: the client has to answer these first. What the route made without them is `result`. */
  | {
      readonly kind: 'input-required';
      readonly questions: readonly Question[];
      readonly result: Result | undefined;
    };

/** The answer of a call that ended: its result, unless it asked the client for more. */
export function answerOf<Result>({ demand }: Peer, result: Result): Answer<Result> {
  return demand
    ? { kind: 'input-required', questions: demand, result }
    : { kind: 'result', result };
}
