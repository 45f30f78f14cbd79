import type { CallAnswer, CallWatch } from '../observe/call-watch.js';
import type { Connection, Outbox } from './outbox.js';
import { type Refusal, refusalJson } from './refusals.js';

/** Parts of type Buffer are sent without being copied or encoded again. */
export type BodyParts = readonly (string | Buffer)[];

export function byteLengthOf(parts: BodyParts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** The response to one HTTP request. Each message is JSON without line breaks. */
export abstract class Reply implements Connection {
  /** Removes unwanted characters from sent messages. Undefined: messages are sent unchanged. */
  clean: ((json: string) => string) | undefined = undefined;
  private watch: CallWatch | undefined = undefined;

  abstract readonly isOpen: boolean;
  /** True if the client reads more slowly than data is written. */
  abstract readonly isBehind: boolean;

  /** Notifications that wait until the client has read earlier messages. */
  private waiting: Set<string> | undefined = undefined;

  /** Reports the end of the response to the watch. The response may then wait for the observers. */
  watchedBy(watch: CallWatch): void {
    this.watch = watch;
    this.onceClosed(() => void watch.end({ outcome: 'cancelled', bytes: 0 }));
  }

  /** Sends the response: a JSON body, or the last event of a stream. */
  answer(...given: BodyParts): void {
    const { watch, clean } = this;
    // Buffers are stored lists, which are already clean.
    const json = clean
      ? given.map((part) => (typeof part === 'string' ? clean(part) : part))
      : given;
    if (watch === undefined) return this.writeAnswer(json);
    // If the client has disconnected, the callback of `onceClosed()` has already reported the end.
    if (!this.isOpen) return;
    const outcome = watch.reported ?? { outcome: 'ok' };
    this.after(watch, { ...outcome, bytes: byteLengthOf(json) }, () => this.writeAnswer(json));
  }

  /** Sends a message that comes before the response. */
  send(message: object): void {
    const json = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.push(this.clean ? this.clean(json) : json);
  }

  refuse(given: Refusal): void {
    const { watch, clean } = this;
    const refusal = clean ? { ...given, message: clean(given.message) } : given;
    if (watch === undefined) return this.writeRefusal(refusal);
    const { code, message: text, status } = refusal;
    const bytes = Buffer.byteLength(refusalJson(refusal));
    const error = { code, text };
    this.after(watch, { outcome: 'error', error, status, bytes }, () => this.writeRefusal(refusal));
  }

  /**
   * Sends a notification before the response. If the client reads too slowly, waits, and sends equal
   * notifications once. Otherwise they would fill the memory.
   */
  pushOnce(json: string): void {
    if (!this.isBehind) {
      this.push(json);
      return;
    }
    if (this.waiting === undefined) {
      this.waiting = new Set();
      this.onceDrained(() => {
        const waiting = this.waiting ?? [];
        this.waiting = undefined;
        for (const each of waiting) this.push(each);
      });
    }
    this.waiting.add(json);
  }

  /** Sends a message before the response. The first such message starts an event stream. */
  abstract push(json: string): void;
  /** 202: the message has no response. 200: the response to DELETE. There is no body. */
  abstract accept(status: 200 | 202): void;
  /** Ends an event stream without a response. */
  abstract end(): void;
  /** Adds the session id as a header. From now on, every response is sent as an event. */
  abstract inSession(id: string): void;
  /** Sends all later messages to the outbox. The outbox calls `writeEvent()` to write them. */
  abstract through(outbox: Outbox): void;
  /** Closes the connection before the response. Returns false if the client cannot reconnect. */
  abstract detach(): boolean;
  abstract writeEvent(id: string, json: string, retryMs?: number): void;
  abstract hangUp(): void;
  abstract keepAlive(): void;
  /** Opens the event stream in response to a GET. */
  abstract listen(): void;
  /** Calls `callback` once: when the response is complete, or when the client has disconnected. */
  abstract onceClosed(callback: () => void): void;

  /** Calls `callback` once, when the client has read enough for more messages. */
  protected abstract onceDrained(callback: () => void): void;
  protected abstract writeAnswer(json: BodyParts): void;
  protected abstract writeRefusal(refusal: Refusal): void;

  private after(watch: CallWatch, answer: CallAnswer, send: () => void): void {
    const held = watch.end(answer);
    if (held) void held.then(send);
    else send();
  }
}

/** Milliseconds between two keep-alive comments. */
export const KEEP_ALIVE_MS = 15_000;
