import type { PanelSession } from '@fledge/core/packages';
import type { JsonRpcRequest } from '../../../protocol/json-rpc.js';
import type { McpClientInfo } from '../../../../mcp.definitions.js';
import { sessionKeyOf } from '../../../observe/session-key.js';

/**
 * The entry of a session in a list of sessions. It has no session id, because ids are sent only to
 * clients.
 */
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
      // Without this prefix, `principal` is a digest of credentials.
      ...(principal.startsWith(USER) && { user: principal.slice(USER.length) }),
      calls: this.calls,
      active: requests.size,
      openedAt: this.openedAt.toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    };
  }
}

/** Prefix of the owner of a session that belongs to a principal. */
export const USER = 'principal ';

/** The changing state of a session. */
interface SessionNow {
  readonly id: string;
  readonly principal: string;
  readonly revision: string;
  readonly client: McpClientInfo | undefined;
  /** By `performance.now()`. Undefined while the session is in use. */
  readonly idleSince: number | undefined;
  /** Running requests. */
  readonly requests: { readonly size: number };
}
