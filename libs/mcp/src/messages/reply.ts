import type { Connection, Outbox } from './outbox.js';
import type { Refusal } from './refusals.js';

/** A body in parts. Parts that are stored as bytes are sent without copying or encoding them again. */
export type BodyParts = readonly (string | Buffer)[];

/** The response to one HTTP request. Messages are JSON without line breaks. */
export interface Reply extends Connection {
  /** True if the client reads more slowly than data is written. */
  readonly isBehind: boolean;
  /** Sends a message before the answer. The first one starts an event stream. */
  push(json: string): void;
  /** Sends the answer: a JSON body, or the last event of a stream. */
  answer(...json: BodyParts): void;
  refuse(refusal: Refusal): void;
  /** Ends with a status and no body: 202 for a message without an answer, 200 for DELETE. */
  accept(status: 200 | 202): void;
  /** Ends an event stream without an answer. */
  end(): void;
  /** Sends every answer as an event. The session id is sent as a header. */
  inSession(id: string): void;
  /** Sends messages to the outbox from now on, which writes them with `writeEvent()`. */
  through(outbox: Outbox): void;
  /** Closes the connection before the answer, if the client can connect again. Returns whether it can. */
  detach(): boolean;
  /** Opens the event stream of a GET. */
  listen(): void;
  /** Calls back once, when the response is complete or the client has disconnected. */
  onceClosed(callback: () => void): void;
}
