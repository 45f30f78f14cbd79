import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { SessionClient } from './session-peer.js';

/** Maximum milliseconds to wait for an answer of a user. The SDK's value for 2026-07-28. */
const ASK_TIMEOUT_MS = 600_000;

/**
 * The client of a session, as the SDK knows it.
 * @param unreachable aborts when the client can no longer be asked
 */
export function clientOf(server: Server, unreachable: AbortSignal): SessionClient {
  return {
    get info() {
      return server.getClientVersion() as McpClientInfo | undefined;
    },
    get capabilities() {
      return server.getClientCapabilities();
    },
    ask({ method, params }, relatedRequestId, signal) {
      const how = {
        relatedRequestId,
        signal: AbortSignal.any([signal, unreachable]),
        timeout: ASK_TIMEOUT_MS,
      };
      switch (method) {
        case 'elicitation/create':
          return server.elicitInput(params as never, how);
        case 'sampling/createMessage':
          return server.createMessage(params as never, how);
        case 'roots/list':
          return server.listRoots(params, how);
      }
    },
  };
}
