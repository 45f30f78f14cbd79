import type { CallRecord } from '@fledge/core/packages';
import type { McpClientInfo } from '../../mcp.definitions.js';
import type { McpPrincipal } from '../../options/auth-options.js';

/** Facts about a call that are known when the call arrives. */
export interface CallStart {
  readonly method: string | undefined;
  readonly kind: CallRecord['kind'];
  readonly name: string | undefined;
  /** `call_tool` or `read_tool`, if the client called a tool through one of these tools. */
  readonly via: string | undefined;
  readonly client: McpClientInfo | undefined;
  readonly revision: string | undefined;
  readonly sessionId: string | undefined;
  readonly principal: McpPrincipal | undefined;
  /** Path of the endpoint. */
  readonly endpoint: string;
  readonly bytes: number;
}

/** The connection on which a message arrived. */
export interface CallNetwork {
  readonly transport: 'tcp' | 'pipe';
  /** HTTP version. Undefined over stdio. */
  readonly httpVersion?: string | undefined;
  readonly address?: string | undefined;
  readonly port?: number | undefined;
}

/** Facts about a call, for spans and metrics. The facts are known when the call arrives. */
export interface TracedCall extends CallStart {
  readonly requestId: string | number | undefined;
  readonly network: CallNetwork;
}
