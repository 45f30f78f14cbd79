import type { Caller } from '../../../call/caller.js';
import type { ClientMessage, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import type { Refusal } from '../../../protocol/refusals.js';
import type { Listening } from '../streams/session-events.js';
import type { Session } from '../session/session.js';

/** The open sessions of this process, or of several processes that share sessions. */
export interface SessionRegistry {
  readonly size: number;
  /** True if sessions are shared between processes. `find()` then queries a store. */
  readonly isShared: boolean;
  /** The sessions in the memory of this process. */
  sessions(): Iterable<Session>;
  /**
   * Opens a session. The `initialize` request must be valid.
   * @param former id of a session to end, if this session belongs to the same caller
   */
  open(
    message: JsonRpcRequest,
    caller: Caller,
    former: string | undefined,
  ): Promise<Opened | Refusal>;
  /**
   * Finds the session of a message. Returns undefined if the session does not exist, or if another
   * principal opened it.
   * @param message undefined for a GET or DELETE, which have no message
   * @param stream id of the message's event stream, if the client can resume the stream
   */
  find(
    id: string,
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Found | Promise<Found>;
  /**
   * Sends a client message to the process that waits for the message. The message must not be a
   * request.
   * @returns true if the message was sent to another process. Undefined if this process waits for
   * the message
   */
  forward(session: Session, message: ClientMessage): Promise<Refusal | true | undefined>;
  /**
   * Opens the main stream of a session. If another connection has the main stream, that connection
   * loses it. Returns the position from which the stream continues, or the refusal.
   * @param after position of the last event that the client received
   */
  listen(session: Session, after: number | undefined): Promise<Refusal | Listening>;
  /** Notifies all sessions that subscribed to a resource. Called when the resource has changed. */
  resourceUpdated(uri: string): void;
  /** Its running calls fail with an error. If the session cannot be ended, returns the refusal. */
  end(session: Session, end?: SessionEnd): Promise<Refusal | undefined>;
  /** Closes the registry when running calls have finished, or after `limitMs` milliseconds. */
  close(limitMs: number): Promise<void>;
}

/** The new session, or the seconds until a session may be available. */
export type Opened = Session | { readonly retryAfter: number };

/** A refusal if the session cannot receive the message. Undefined if it does not exist. */
export type Found = Session | Refusal | undefined;

export interface SessionEnd {
  /** Error message for running calls. */
  readonly reason: string;
  /**
   * Value of `error.type` in the metrics of the session. Undefined if the client ended the session
   * or the application closed.
   */
  readonly error?: 'timeout' | 'evicted' | 'terminated';
}

export const ENDED: SessionEnd = { reason: 'The session has ended' };
