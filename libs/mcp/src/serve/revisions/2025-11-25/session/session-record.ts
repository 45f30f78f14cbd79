import type { PanelSession } from '@fledge/core/packages';
import type { JsonRpcRequest } from '../../../protocol/json-rpc.js';
import type { McpClientInfo } from '../../../../mcp.definitions.js';
import { sessionKeyOf } from '../../../observe/session-key.js';

/** Data for the panel. The session id is omitted, because only the client may know the id. */
export class SessionRecord {
  private readonly openedAt = new Date();
  private calls = 0;

  received({ method }: JsonRpcRequest): void {
    if (method === 'tools/call') this.calls += 1;
  }

  shown({ id, principal, revision, client, idleSince, requests }: SessionNow): PanelSession {
    const lastAt = idleSince === undefined ? Date.now() : performance.timeOrigin + idleSince;
    return {
      key: sessionKeyOf(id),
      ...(client && { client: client.name, version: client.version }),
      revision,
      // A `principal` without this prefix may be a digest of credentials. Such a `principal` must
      // not be shown.
      ...(principal.startsWith(USER) && { user: principal.slice(USER.length) }),
      calls: this.calls,
      active: requests.size,
      openedAt: this.openedAt.toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    };
  }
}

/** If `principal` starts with this prefix, the rest is the id of a principal. */
export const USER = 'principal ';

interface SessionNow {
  readonly id: string;
  readonly principal: string;
  readonly revision: string;
  readonly client: McpClientInfo | undefined;
  /** Time by `performance.now()`. Undefined while the session is in use. */
  readonly idleSince: number | undefined;
  readonly requests: { readonly size: number };
}
