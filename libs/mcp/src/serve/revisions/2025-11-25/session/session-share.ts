import type { LogLevel } from '../../../call/peer.js';
import type { RequestId } from '../../../protocol/json-rpc.js';
import type { SharedStreams } from '../streams/session-streams.js';

/** What a session reports to the store that it shares with other processes. */
export interface SessionShare extends SharedStreams {
  readonly id: string;
  /** Names this process in the ids of questions to the client. */
  readonly process: string;
  /** A request is over. */
  left(request: RequestId): void;
  setLogLevel(level: LogLevel): Promise<void>;
  /** Returns false if the session has `MOST_SUBSCRIPTIONS`. */
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): Promise<void>;
}

/** Maximum subscriptions of a session. A template matches any number of resources. */
export const MOST_SUBSCRIPTIONS = 1_000;

/** The id of a question, as the client of a shared session gets it: two processes may ask at the same time. */
export function questionId(process: string, id: RequestId): string {
  return `${process}.${id}`;
}

/** The process that sent a question, and its own id of it. Undefined for the id of no question. */
export function questionOf(
  id: RequestId,
): { readonly process: string; readonly id: number } | undefined {
  const [, process, number] = /^([\w-]+)\.(\d{1,15})$/.exec(String(id)) ?? [];
  return process === undefined ? undefined : { process, id: Number(number) };
}
