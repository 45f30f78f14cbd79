import type { CallRecord, PanelSession, PanelSessions } from '@fledge/core/packages';

/** Maximum number of remembered sessions. */
const MOST = 1_000;

type SessionCaller = Pick<PanelSession, 'user' | 'tenant'>;

/** Remembers the tenant and the user of each session's last call. */
export class SessionCallers {
  private readonly callers = new Map<string, SessionCaller>();

  /** @param user short name of the user who made the call */
  add({ session, tenant }: CallRecord, user: string | undefined): void {
    if (session === undefined || (tenant === undefined && user === undefined)) return;
    const caller = {
      ...this.callers.get(session),
      ...(tenant && { tenant: tenant.id }),
      ...(user !== undefined && { user }),
    };
    // The key is deleted first, so that it moves to the end. The first key is then always the least
    // recently used one.
    this.callers.delete(session);
    this.callers.set(session, caller);
    for (const oldest of this.callers.keys()) {
      if (this.callers.size <= MOST) break;
      this.callers.delete(oldest);
    }
  }

  /**
   * Adds the remembered caller to each session. A user that the MCP endpoint authenticated is not
   * replaced.
   */
  addedTo({ endpoints }: PanelSessions): PanelSessions {
    return {
      endpoints: endpoints.map(({ open, ...endpoint }) => ({
        ...endpoint,
        open: open.map((session) => ({ ...this.callers.get(session.key), ...session })),
      })),
    };
  }
}
