import { type Peer, type LogLevel, reaches } from '../calls/peer.js';
import type { RequestId } from './json-rpc.js';
import type { Reply } from './reply.js';

/** Sends messages to the client while a call runs. */
export type Notifier = Pick<Peer, 'progress' | 'log'>;

/** Writes notifications as JSON-RPC messages. */
export class Notifications implements Notifier {
  /**
   * @param progressToken undefined: the client did not ask for progress
   * @param listener holds the lowest log level that the client wants; undefined: no log messages
   */
  constructor(
    private readonly progressToken: RequestId | undefined,
    private readonly listener: { readonly logLevel: LogLevel | undefined },
    private readonly reply: Pick<Reply, 'isBehind' | 'push'>,
  ) {}

  progress(progress: number, total?: number, message?: string): void {
    const { progressToken } = this;
    // Dropped while the client reads too slowly: notifications would accumulate in memory.
    if (progressToken === undefined || this.reply.isBehind) return;
    this.notify('notifications/progress', { progressToken, progress, total, message });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel } = this.listener;
    if (logLevel === undefined || !reaches(level, logLevel)) return;
    this.notify('notifications/message', { level, logger, data: data ?? null });
  }

  private notify(method: string, params: object): void {
    this.reply.push(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }
}
