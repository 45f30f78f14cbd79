import type { LogLevel } from '../../../call/peer.js';
import { MOST_SUBSCRIPTIONS, type SessionShare } from './session-share.js';

export class SessionSettings {
  /** Until a client sets a level, it receives every log message (MCP 2025-11-25, Logging). */
  logLevel: LogLevel = 'debug';
  /** URIs of resources. If the session is shared, the URIs are in the store instead. */
  private readonly subscriptions = new Set<string>();

  /** @param share undefined if the session is not shared */
  constructor(private readonly share: SessionShare | undefined) {}

  async setLogLevel(level: LogLevel): Promise<void> {
    await this.share?.setLogLevel(level);
    this.logLevel = level;
  }

  /** Always false for shared sessions. */
  subscribesTo(uri: string): boolean {
    return this.subscriptions.has(uri);
  }

  /** Returns false if the session has reached `MOST_SUBSCRIPTIONS`. */
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
