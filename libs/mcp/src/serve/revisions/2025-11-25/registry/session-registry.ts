import crypto from 'node:crypto';
import type { Caller } from '../../../call/caller.js';
import type { ClientMessage, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import type { Refusal } from '../../../protocol/refusals.js';
import type { Listening } from '../streams/session-events.js';
import { USER } from '../session/session-record.js';
import type { Session } from '../session/session.js';

/** The open sessions: of this process, or of several processes that share them. */
export interface SessionRegistry {
  /** Number of open sessions. */
  readonly size: number;
  /** True if `find()` queries a store, because another process may have opened the session. */
  readonly isShared: boolean;
  /** The sessions in the memory of this process. */
  sessions(): Iterable<Session>;
  /**
   * Opens the session of a valid `initialize` request.
   * @param former id of a session that ends if it belongs to the same caller
   */
  open(
    message: JsonRpcRequest,
    caller: Caller,
    former: string | undefined,
  ): Promise<Opened | Refusal>;
  /**
   * Finds the session of a message. Returns undefined if the session does not exist, or if another
   * principal opened it.
   * @param message undefined if the caller sends none
   * @param stream id of the message's event stream, if the client can resume it
   */
  find(
    id: string,
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Found | Promise<Found>;
  /**
   * Sends a client message to the process that waits for it. The message is not a request.
   * @returns undefined if that is this process, or true if the message was sent
   */
  forward(session: Session, message: ClientMessage): Promise<Refusal | true | undefined>;
  /**
   * Opens the main stream of a session, or takes it over from another connection. Returns the
   * position from which it continues, or the refusal.
   * @param after position of the last event that the client received
   */
  listen(session: Session, after: number | undefined): Promise<Refusal | Listening>;
  /** Notifies the subscribed sessions that a resource changed. */
  resourceUpdated(uri: string): void;
  /**
   * Ends a session. Its running calls fail with an error. Returns the refusal if the session cannot
   * be ended.
   */
  end(session: Session, end?: SessionEnd): Promise<Refusal | undefined>;
  /** Closes the registry after running calls have finished, or after `limitMs` milliseconds. */
  close(limitMs: number): Promise<void>;
}

/** An opened session, or the seconds until one may become available. */
export type Opened = Session | { readonly retryAfter: number };

/** A session, or why it cannot receive the message. Undefined: there is no such session. */
export type Found = Session | Refusal | undefined;

/** How a session ended. */
export interface SessionEnd {
  /** Error message for running calls. */
  readonly reason: string;
  /**
   * `error.type` of the session in metrics. Undefined if the client ended the session, or the
   * application closed.
   */
  readonly error?: 'timeout' | 'evicted' | 'terminated';
}

export const ENDED: SessionEnd = { reason: 'The session has ended' };

/**
 * Returns the owner of a session: the principal, or else a digest of the credentials, so
 * credentials are not stored.
 */
export function principalOf({ principal, origin: { headers } }: Caller): string {
  if (principal !== undefined) return `${USER}${principal.id}`;
  if (headers.authorization === undefined) return 'anonymous';
  return crypto.hash('sha256', headers.authorization, 'base64');
}
