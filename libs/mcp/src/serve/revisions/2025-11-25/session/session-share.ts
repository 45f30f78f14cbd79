import type { LogLevel } from '../../../call/peer.js';
import type { RequestId } from '../../../protocol/json-rpc.js';
import type { SharedStreams } from '../streams/session-streams.js';

/** Functions by which a session reports to the store that it shares with other processes. */
export interface SessionShare extends SharedStreams {
  readonly id: string;
  /** Name of this process in the ids of questions to the client. */
  readonly process: string;
  /** Reports that a request has ended. */
  left(request: RequestId): void;
  setLogLevel(level: LogLevel): Promise<void>;
  /** Subscribes to a resource. Returns false if the session already has `MOST_SUBSCRIPTIONS`. */
  subscribe(uri: string): Promise<boolean>;
  unsubscribe(uri: string): Promise<void>;
}

/**
 * Maximum subscriptions of a session. Needed because a template matches any number of resources.
 */
export const MOST_SUBSCRIPTIONS = 1_000;

/**
 * Returns the question id that the client of a shared session receives. The id includes the
 * process, because two processes may ask at the same time.
 */
export function questionId(process: string, id: RequestId): string {
  return `${process}.${id}`;
}

/**
 * Returns the process that sent a question, and the original id. Returns undefined if the id does
 * not belong to a question.
 */
export function questionOf(
  id: RequestId,
): { readonly process: string; readonly id: number } | undefined {
  const [, process, number] = /^([\w-]+)\.(\d{1,15})$/.exec(String(id)) ?? [];
  return process === undefined ? undefined : { process, id: Number(number) };
}
