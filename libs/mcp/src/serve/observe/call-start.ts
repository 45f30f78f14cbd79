import type { CallRecord } from '@fledge/core/packages';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { McpPrincipal } from '../../options/auth-options.js';

/** Information about a call that is available when it arrives. */
export interface CallStart {
  readonly method: string | undefined;
  readonly kind: CallRecord['kind'];
  readonly name: string | undefined;
  /** `call_tool` or `read_tool` if the client reached the tool through it. */
  readonly via: string | undefined;
  readonly client: McpClientInfo | undefined;
  readonly revision: string | undefined;
  readonly sessionId: string | undefined;
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint. */
  readonly endpoint: string;
  readonly bytes: number;
}

/** How a message reached the server. */
export interface CallNetwork {
  readonly transport: 'tcp' | 'pipe';
  /** HTTP version; undefined over stdio. */
  readonly httpVersion?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

/** A call as spans and metrics describe it when it arrives. */
export interface TracedCall extends CallStart {
  readonly requestId: string | number | undefined;
  readonly network: CallNetwork;
}
