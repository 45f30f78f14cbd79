import type { CallRecord, PanelSessions } from '@fledge/core/packages';

/** Sessions that are remembered. */
const MOST = 1_000;

/** The tenant of the last call of each session. */
export class SessionTenants {
  private readonly tenants = new Map<string, string>();

  add({ session, tenant }: CallRecord): void {
    if (session === undefined || tenant === undefined) return;
    // Set anew, so that the first key is the one unused for longest.
    this.tenants.delete(session);
    this.tenants.set(session, tenant.id);
    for (const oldest of this.tenants.keys()) {
      if (this.tenants.size <= MOST) break;
      this.tenants.delete(oldest);
    }
  }

  /** The sessions with their tenants. */
  addedTo(sessions: PanelSessions): PanelSessions {
    const open = sessions.open.map((session) => {
      const tenant = this.tenants.get(session.key);
      return tenant === undefined ? session : { ...session, tenant };
    });
    return { ...sessions, open };
  }
}
