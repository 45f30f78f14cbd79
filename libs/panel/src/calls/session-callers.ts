import type { CallRecord, PanelSession, PanelSessions } from '@fledge/core/packages';

/** Sessions that are remembered. */
const MOST = 1_000;

type SessionCaller = Pick<PanelSession, 'user' | 'tenant'>;

/** The tenant and the user of the last call of each session that had one. */
export class SessionCallers {
  private readonly callers = new Map<string, SessionCaller>();

  /** @param user short name of the call's user */
  add({ session, tenant }: CallRecord, user: string | undefined): void {
    if (session === undefined || (tenant === undefined && user === undefined)) return;
    const caller = {
      ...this.callers.get(session),
      ...(tenant && { tenant: tenant.id }),
      ...(user !== undefined && { user }),
    };
    // Deleted first, so that the first key is the one unused for longest.
    this.callers.delete(session);
    this.callers.set(session, caller);
    for (const oldest of this.callers.keys()) {
      if (this.callers.size <= MOST) break;
      this.callers.delete(oldest);
    }
  }

  /** The sessions with their callers. The user that the MCP endpoint authenticated stays. */
  addedTo({ endpoints }: PanelSessions): PanelSessions {
    return {
      endpoints: endpoints.map(({ open, ...endpoint }) => ({
        ...endpoint,
        open: open.map((session) => ({ ...this.callers.get(session.key), ...session })),
      })),
    };
  }
}
