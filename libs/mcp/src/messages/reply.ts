import type { Refusal } from './refusals.js';

/** A body in parts: what is stored as bytes goes out as it is, neither encoded again nor copied. */
export type BodyParts = readonly (string | Buffer)[];

/** Where the answer to one HTTP request goes. Messages are JSON without line breaks. */
export interface Reply {
  /** Whether the client can still be answered. */
  readonly isOpen: boolean;
  /** Whether the client reads slower than it is written to. */
  readonly isBehind: boolean;
  /** Sends a message ahead of the answer, which begins an event stream. */
  push(json: string): void;
  /** Sends the answer: a JSON body, or the last event of a stream. */
  answer(...json: BodyParts): void;
  refuse(refusal: Refusal): void;
  /** Ends with a status alone: 202 for a message that has no answer, 200 for DELETE. */
  accept(status: 200 | 202): void;
  /** Ends an event stream: no answer is owed. */
  end(): void;
  /** Makes every answer an event, which names the session. */
  inSession(id: string): void;
  /** Opens the event stream of a GET. */
  listen(): void;
  /** Sends a comment, so that nothing on the way takes the silence for an end. */
  keepAlive(): void;
  /** Calls back once, when the response is done with or the client is gone. */
  onceClosed(callback: () => void): void;
  /** Lets a handler of the web's requests and responses answer (SDK v2). */
  handOver(to: (request: Request) => Promise<Response>): Promise<void>;
}
