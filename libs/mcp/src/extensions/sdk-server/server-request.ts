import { objectOf } from '@fledge-internal/options';
import { canBeAsked, type Peer, type Question } from '../../serve/call/peer.js';
import type { ClientFeature } from '../../mcp.definitions.js';
import type { JsonObject } from '../../serve/protocol/json-rpc.js';

const FEATURES: ReadonlyMap<string, ClientFeature> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** Called once, with the result or the error of a request. */
type Ended = (result: JsonObject | undefined, error: Error | undefined) => void;

/** A request to a server, until its response arrives. */
export class RunningRequest {
  /**
   * The number of questions that the server has asked so far. If a client repeats a call with
   * answers, the same questions get the same numbers.
   */
  private questions = 0;
  private readonly over = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /**
   * @param peer the client that sent the request
   * @param timeoutMs maximum milliseconds. The time for questions to the client does not count
   */
  constructor(
    readonly peer: Peer | undefined,
    private readonly timeoutMs: number,
    private readonly ended: Ended,
    onLate: () => void,
  ) {
    this.timer = setTimeout(onLate, timeoutMs);
  }

  /** Ends the request. The client no longer has to answer its open questions. */
  settle(result: JsonObject | undefined, error?: Error): void {
    clearTimeout(this.timer);
    this.over.abort('the request has ended');
    this.ended(result, error);
  }

  /**
   * Sends a question to the client of the request.
   * @throws an error if the client does not support questions, or if it does not answer
   */
  async ask(method: string, params: JsonObject): Promise<JsonObject> {
    const isPage = method === 'elicitation/create' && params['mode'] === 'url';
    const feature = isPage ? 'elicitation.url' : FEATURES.get(method);
    if (!feature) throw new Error(`A server cannot send ${method} requests`);
    const { peer } = this;
    if (!peer) throw new Error(`A server can send ${method} only during a client's request`);
    const key = `${feature}-${++this.questions}`;
    const question = { feature, method: method as Question['method'], params, key };
    if (!canBeAsked(peer, feature)) {
      peer.lacks(question);
      throw new Error(`The client does not support ${feature}`);
    }
    // The timeout does not run while the user answers.
    const waiting = setInterval(() => void this.timer.refresh(), this.timeoutMs / 2);
    try {
      return objectOf(await peer.ask(question, this.over.signal));
    } finally {
      clearInterval(waiting);
    }
  }
}
