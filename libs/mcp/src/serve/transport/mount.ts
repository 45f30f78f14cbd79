import type { PanelSessions } from '@fledge/core/packages';
import type { Operations } from '../methods/operations.js';

/**
 * Makes the endpoints of an application available to clients. One subclass is for HTTP, and one
 * subclass is for stdio.
 */
export abstract class Mount {
  /**
   * The places at which clients can reach the endpoints, in the order of `endpoints`. The places
   * are logged.
   */
  abstract readonly places: readonly string[];

  /** Number of open sessions. */
  abstract get openSessions(): number;

  /** The open sessions for the panel. Session ids are omitted. */
  get sessions(): PanelSessions {
    return { endpoints: [] };
  }

  /** Ends a session. Returns false if no session has this key. */
  endSession(_key: string): boolean {
    return false;
  }

  /**
   * Starts to serve clients. Call this at startup, before the application listens.
   * @param operations the operations of each endpoint, in the order of `endpoints`
   */
  abstract open(operations: readonly Operations[]): Promise<void>;

  /** Notifies all clients that subscribed to a resource. Called when the resource has changed. */
  abstract resourceUpdated(uri: string): void;

  /**
   * Ends streams and waits for running calls. Call this before the application's providers are
   * destroyed, because routes use them.
   */
  abstract close(): Promise<void>;
}
