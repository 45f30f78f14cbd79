import type { CallPeer } from '../live/call-peer.js';
import { type LogLevel, reaches } from '../live/log-level.js';
import type { RequestId } from './json-rpc.js';

/** What a call can tell its client on the way. */
export type CallNotifier = Pick<CallPeer, 'progress' | 'log'>;

/**
 * Notifications written as JSON-RPC.
 * @param progressToken undefined: the client does not ask for progress
 * @param threshold the least level the client wants; undefined: no log messages
 */
export function jsonNotifier(
  progressToken: RequestId | undefined,
  threshold: () => LogLevel | undefined,
  send: (json: string) => void,
): CallNotifier {
  const notify = (method: string, params: object) =>
    send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  return {
    progress(progress, total, message) {
      if (progressToken === undefined) return;
      notify('notifications/progress', { progressToken, progress, total, message });
    },
    log(level, data, logger) {
      const least = threshold();
      if (least === undefined || !reaches(level, least)) return;
      notify('notifications/message', { level, logger, data: data ?? null });
    },
  };
}
