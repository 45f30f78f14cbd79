import type { CallAnswer, CallWatch } from '../observe/call-watch.js';
import type { Connection, Outbox } from './outbox.js';
import { type Refusal, refusalJson } from './refusals.js';

/** A body in parts. Parts stored as bytes are sent without being copied or encoded again. */
export type BodyParts = readonly (string | Buffer)[];

/** @returns bytes */
export function byteLengthOf(parts: BodyParts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** The response to one HTTP request. Messages are JSON without line breaks. */
export abstract class Reply implements Connection {
  /** Cleans the messages that are sent. Undefined: they are sent unchanged. */
  clean: ((json: string) => string) | undefined = undefined;
  private watch: CallWatch | undefined = undefined;

  abstract readonly isOpen: boolean;
  /** True if the client reads more slowly than data is written. */
  abstract readonly isBehind: boolean;

  /**
   * Reports the end of the response to the watch. Delays the response if an observer requires it.
   */
  watchedBy(watch: CallWatch): void {
    this.watch = watch;
    this.onceClosed(() => void watch.end({ outcome: 'cancelled', bytes: 0 }));
  }

  /**
   * Sends the response: a JSON body, or the last event of a stream. The request reports the outcome
   * itself.
   */
  answer(...given: BodyParts): void {
    const { watch, clean } = this;
    // Parts in bytes are stored lists, which are already clean.
    const json = clean
      ? given.map((part) => (typeof part === 'string' ? clean(part) : part))
      : given;
    if (watch === undefined) return this.writeAnswer(json);
    // If the client has disconnected, the listener of `onceClosed` reports it.
    if (!this.isOpen) return;
    const outcome = watch.reported ?? { outcome: 'ok' };
    this.after(watch, { ...outcome, bytes: byteLengthOf(json) }, () => this.writeAnswer(json));
  }

  /** Sends a message before the response. */
  send(message: object): void {
    const json = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.push(this.clean ? this.clean(json) : json);
  }

  refuse(refusal: Refusal): void {
    const { watch } = this;
    if (watch === undefined) return this.writeRefusal(refusal);
    const { code, message: text, status } = refusal;
    const bytes = Buffer.byteLength(refusalJson(refusal));
    const error = { code, text };
    this.after(watch, { outcome: 'error', error, status, bytes }, () => this.writeRefusal(refusal));
  }

  /** Sends a message before the response. The first one starts an event stream. */
  abstract push(json: string): void;
  /**
   * Ends the response with a status and no body: 202 for a message without a response, 200 for
   * DELETE.
   */
  abstract accept(status: 200 | 202): void;
  /** Ends an event stream without a response. */
  abstract end(): void;
  /** Sends every response as an event, and the session id as a header. */
  abstract inSession(id: string): void;
  /** Routes all later messages through the outbox, which writes them with `writeEvent()`. */
  abstract through(outbox: Outbox): void;
  /**
   * Closes the connection before the response, if the client can reconnect. Returns whether it can.
   */
  abstract detach(): boolean;
  abstract writeEvent(id: string, json: string, retryMs?: number): void;
  abstract hangUp(): void;
  abstract keepAlive(): void;
  /** Opens the event stream of a GET. */
  abstract listen(): void;
  /** Calls `callback` once, when the response is complete or the client has disconnected. */
  abstract onceClosed(callback: () => void): void;

  protected abstract writeAnswer(json: BodyParts): void;
  protected abstract writeRefusal(refusal: Refusal): void;

  private after(watch: CallWatch, answer: CallAnswer, send: () => void): void {
    const held = watch.end(answer);
    if (held) void held.then(send);
    else send();
  }
}
