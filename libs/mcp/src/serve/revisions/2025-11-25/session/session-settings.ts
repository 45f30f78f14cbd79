import type { LogLevel } from '../../../call/peer.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from './session-share.js';

/** What the client of a session set: the log level, and subscriptions to resources. */
export class SessionSettings {
  /** By default a client gets every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  /** URIs of resources, if the session lives in this process only. */
  private readonly subscriptions = new Set<string>();

  /** @param share undefined: the session lives in this process only */
  constructor(private readonly share: SessionShare | undefined) {}

  async setLogLevel(level: LogLevel): Promise<void> {
    await this.share?.setLogLevel(level);
    this.logLevel = level;
  }

  /** True if the client subscribed to a resource of a session that lives in this process only. */
  subscribesTo(uri: string): boolean {
    return this.subscriptions.has(uri);
  }

  /** Returns false if the session has `MOST_SUBSCRIPTIONS`. */
  async subscribe(uri: string): Promise<boolean> {
    if (this.share) return this.share.subscribe(uri);
    if (this.subscriptions.size >= MOST_SUBSCRIPTIONS) return false;
    this.subscriptions.add(uri);
    return true;
  }

  async unsubscribe(uri: string): Promise<void> {
    this.subscriptions.delete(uri);
    await this.share?.unsubscribe(uri);
  }
}
