import type { LogLevel } from '../../../call/peer.js';
import type { RequestId } from '../../../protocol/json-rpc.js';
import type { SharedStreams } from '../streams/session-streams.js';

/** Functions with which a session sends its changes to the store. */
export interface SessionShare extends SharedStreams {
  readonly id: string;
  /** The name is part of the ids of questions to the client. */
  readonly process: string;
  /** Tells the store that a request has ended. */
  left(request: RequestId): void;
  setLogLevel(level: LogLevel): Promise<void>;
  /** Returns false if the session has reached `MOST_SUBSCRIPTIONS`. */
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): Promise<void>;
}

/** A template has unlimited URIs, so clients could otherwise subscribe without limit. */
export const MOST_SUBSCRIPTIONS = 1_000;

/** The id contains the process name, because two processes may use the same number. */
export function questionId(process: string, id: RequestId): string {
  return `${process}.${id}`;
}

/** Returns undefined if this is not the id of a question. */
export function questionOf(
  id: RequestId,
): { readonly process: string; readonly id: number } | undefined {
  const [, process, number] = /^([\w-]+)\.(\d{1,15})$/.exec(String(id)) ?? [];
  return process === undefined ? undefined : { process, id: Number(number) };
}
