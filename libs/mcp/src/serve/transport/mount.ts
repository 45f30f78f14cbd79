import type { PanelSessions } from '@fledge/core/packages';
import type { Operations } from '../methods/operations.js';

/**
 * Makes the MCP servers of an application available to clients. Each `transport` option has an
 * implementation.
 */
export abstract class Mount {
  /** Locations of the endpoints for the log, in the order in which they are opened. */
  abstract readonly places: readonly string[];

  /** Number of open sessions. */
  abstract get openSessions(): number;

  /** The open sessions, without their ids. */
  get sessions(): PanelSessions {
    return { endpoints: [] };
  }

  /** Ends a session. Returns false if no session has this key. */
  endSession(_key: string): boolean {
    return false;
  }

  /**
   * Lets clients run operations. Call this at startup, before the application listens.
   * @param operations the operations of each endpoint, in the order of `endpoints`
   */
  abstract open(operations: readonly Operations[]): Promise<void>;

  /** Notifies subscribed clients that a resource changed. */
  abstract resourceUpdated(uri: string): void;

  /**
   * Ends streams and waits for running calls. Call this while the providers that routes use still
   * work.
   */
  abstract close(): Promise<void>;
}
