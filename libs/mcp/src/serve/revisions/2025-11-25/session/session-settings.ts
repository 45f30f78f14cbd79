import type { LogLevel } from '../../../call/peer.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from './session-share.js';

/** Settings that the client of a session made: the log level, and subscriptions to resources. */
export class SessionSettings {
  /** By default, a client receives every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  /** URIs of resources, if the session is not shared. */
  private readonly subscriptions = new Set<string>();

  /** @param share undefined if the session is not shared */
  constructor(private readonly share: SessionShare | undefined) {}

  async setLogLevel(level: LogLevel): Promise<void> {
    await this.share?.setLogLevel(level);
    this.logLevel = level;
  }

  /**
   * Returns true if the client subscribed to the resource. Only for sessions that are not shared.
   */
  subscribesTo(uri: string): boolean {
    return this.subscriptions.has(uri);
  }

  /** Subscribes to a resource. Returns false if the session already has `MOST_SUBSCRIPTIONS`. */
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
