import { Injectable } from '@nestjs/common';
import type {
  PanelCatalogue,
  PanelGraphqlMount,
  PanelQueryAnswer,
  PanelQueryRoute,
  PanelSessions,
  PanelTenantAnswer,
  PanelTenantQuestion,
  PanelTenants,
} from './panel-views.js';

/**
 * The data that each package provides for the panel. The functions run when somebody opens the
 * view.
 */
export interface PanelSourceOf {
  readonly mcp: {
    catalogue(): PanelCatalogue;
    sessions(): PanelSessions;
    /** Ends a session. Returns false if no session has this key. */
    endSession(key: string): boolean;
  };
  readonly tenant: {
    tenants(): PanelTenants;
    /** Finds the tenant of a described request without running its route. */
    ask(question: PanelTenantQuestion): Promise<PanelTenantAnswer>;
  };
  readonly query: {
    routes(): readonly PanelQueryRoute[];
    /** Parses a query string. Returns undefined for an unknown route. */
    parse(key: string, query: string): PanelQueryAnswer | undefined;
  };
  readonly graphql: {
    mounts(): readonly PanelGraphqlMount[];
  };
}

/**
 * Packages register their data for the panel here. If an application imports a Fledge module, each
 * of its modules can inject this class. Without a panel, the data is never computed.
 */
@Injectable()
export class PanelSources {
  private readonly sources = new Map<keyof PanelSourceOf, () => unknown>();

  /** Registers a source. `make` runs on first use. A later registration replaces an earlier one. */
  register<K extends keyof PanelSourceOf>(kind: K, make: () => PanelSourceOf[K]): void {
    let made: PanelSourceOf[K] | undefined;
    this.sources.set(kind, () => (made ??= make()));
  }

  /** Returns undefined if the package is not part of the application. */
  get<K extends keyof PanelSourceOf>(kind: K): PanelSourceOf[K] | undefined {
    return this.sources.get(kind)?.() as PanelSourceOf[K] | undefined;
  }
}
