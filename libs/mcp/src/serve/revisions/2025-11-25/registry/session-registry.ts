import crypto from 'node:crypto';
import type { Caller } from '../../../call/caller.js';
import type { ClientMessage, JsonRpcRequest } from '../../../protocol/json-rpc.js';
import type { Refusal } from '../../../protocol/refusals.js';
import type { Listening } from '../streams/session-events.js';
import { USER } from '../session/session-record.js';
import type { Session } from '../session/session.js';

/** The open sessions: those of this process, or those that several processes share. */
export interface SessionRegistry {
  /** Number of open sessions. */
  readonly size: number;
  /** True if `find()` asks a store, because another process may have opened the session. */
  readonly isShared: boolean;
  /** The sessions in the memory of this process. */
  sessions(): Iterable<Session>;
  /**
   * Opens the session of an `initialize` request, whose parameters are checked.
   * @param former id of a session that ends if it belongs to the same caller
   */
  open(
    message: JsonRpcRequest,
    caller: Caller,
    former: string | undefined,
  ): Promise<Opened | Refusal>;
  /**
   * Finds the session of a message. Undefined if it does not exist or another principal opened it.
   * @param message undefined: the caller sends none
   * @param stream id of its event stream, if the client can resume it
   */
  find(
    id: string,
    caller: Caller,
    message: ClientMessage | undefined,
    stream: string | undefined,
  ): Found | Promise<Found>;
  /**
   * Sends a message that is no request to the process that waits for it.
   * @returns undefined if that is this process, and true if the message was sent
   */
  forward(session: Session, message: ClientMessage): Promise<Refusal | true | undefined>;
  /**
   * Takes the stream that belongs to no request, also from another connection. Returns where it continues, or why
   * it cannot.
   * @param after position of the last event that the client has
   */
  listen(session: Session, after: number | undefined): Promise<Refusal | Listening>;
  /** Notifies the sessions that subscribed to a resource that it changed. */
  resourceUpdated(uri: string): void;
  /** Ends a session. Its running calls are answered with an error. Returns why it cannot. */
  end(session: Session, end?: SessionEnd): Promise<Refusal | undefined>;
  /** Leaves when running calls are answered, at the latest after `limitMs` milliseconds. */
  close(limitMs: number): Promise<void>;
}

/** A session, or the seconds after which there may be a place for one. */
export type Opened = Session | { readonly retryAfter: number };

/** A session, or why it gets no message. Undefined: there is no such session. */
export type Found = Session | Refusal | undefined;

/** How a session ended. */
export interface SessionEnd {
  /** Error message for running calls. */
  readonly reason: string;
  /** `error.type` of the session in metrics. Undefined if its client ended it, or the application closed. */
  readonly error?: 'timeout' | 'evicted' | 'terminated';
}

export const ENDED: SessionEnd = { reason: 'The session has ended' };

/**
 * What a session is bound to: the principal, or otherwise a digest of the credentials, so that they are not
 * stored.
 */
export function principalOf({ principal, origin: { headers } }: Caller): string {
  if (principal !== undefined) return `${USER}${principal.id}`;
  if (headers.authorization === undefined) return 'anonymous';
  return crypto.hash('sha256', headers.authorization, 'base64');
}
