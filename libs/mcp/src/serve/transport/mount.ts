import type { PanelSessions } from '@fledge/core/packages';
import type { Operations } from '../methods/operations.js';

/** One subclass is for HTTP, and one subclass is for stdio. */
export abstract class Mount {
  /** Where clients can reach the endpoints, in the order of `endpoints`. Logged at startup. */
  abstract readonly places: readonly string[];

  abstract get openSessions(): number;

  /** For the panel. Session ids are omitted. */
  get sessions(): PanelSessions {
    return { endpoints: [] };
  }

  /** Returns false if no session has this key. */
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

  /** Call this before the application's providers are destroyed, because routes use them. */
  abstract close(): Promise<void>;
}
