import { type SessionData, Store } from 'express-session';
import type { SharedConnection } from './shared-connection.js';

/** Keeps sessions behind the shared connection, as connect-redis and connect-pg-simple do. */
export class SharedSessionStore extends Store {
  private readonly sessions = new Map<string, string>();

  constructor(private readonly connection: SharedConnection) {
    super();
  }

  get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    this.connection.query(() => {
      const stored = this.sessions.get(id);
      done(null, stored === undefined ? null : (JSON.parse(stored) as SessionData));
    });
  }

  set(id: string, session: SessionData, done?: (error?: unknown) => void): void {
    this.connection.query(() => {
      this.sessions.set(id, JSON.stringify(session));
      done?.();
    });
  }

  destroy(id: string, done?: (error?: unknown) => void): void {
    this.connection.query(() => {
      this.sessions.delete(id);
      done?.();
    });
  }
}
