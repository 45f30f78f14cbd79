import type { OnModuleDestroy } from '@nestjs/common';
import type { Operations } from '../operations/operations.js';

/** Where clients reach the MCP server. One implementation for each `transport` option. */
export abstract class Mount implements OnModuleDestroy {
  /** For the log, such as the path of the endpoint. */
  abstract readonly place: string;

  /** Number of open sessions. */
  abstract get openSessions(): number;

  /** Lets clients run operations. Call it at boot, before the application listens. */
  abstract open(operations: Operations): Promise<void>;

  /** Notifies subscribed clients that a resource changed. */
  abstract resourceUpdated(uri: string): void;

  /** Closes here, before the server closes, because the providers that routes use still work. */
  abstract onModuleDestroy(): Promise<void>;
}
