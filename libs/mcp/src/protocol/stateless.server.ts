import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { CallOrigin } from '../dispatch/call.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import type { ToolCaller } from './tool.caller.js';
import { toolServer } from './tool.server.js';

/** What of the MCP SDK serves clients of revision 2026-07-28, which knows no sessions. */
export interface StatelessProtocol {
  /** Whether a POST belongs to this revision; its refusals are this protocol's to give as well. */
  owns(body: unknown, headers: StatelessHeaders): boolean;
  /** Answers one message, from the web's request to the web's response. */
  answer(request: Request, body: unknown, origin: CallOrigin): Promise<Response>;
  /** Ends every exchange under way. */
  close(): Promise<void>;
}

/** The headers that take part in telling the revisions apart. */
interface StatelessHeaders {
  readonly protocolVersion: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

/** Loads the SDK of the current revision: here and nowhere else. */
export async function loadStatelessProtocol(
  options: ResolvedMcpOptions,
  tools: ToolCaller,
  onError: (error: Error) => void,
): Promise<StatelessProtocol> {
  const sdk = await import('@modelcontextprotocol/server');
  // The SDK makes a server for each request and hands it the web's request: from that the caller's
  // own request is found again.
  const origins = new WeakMap<Request, CallOrigin>();

  const createServer = () =>
    toolServer(sdk, options, tools, ({ http }) => http?.req && origins.get(http.req));
  const handler: McpHttpHandler = sdk.createMcpHandler(createServer, {
    legacy: 'reject',
    onerror: onError,
  });

  return {
    owns(body, { protocolVersion, method, name }) {
      const outcome = sdk.classifyInboundRequest({
        httpMethod: 'POST',
        body,
        ...(protocolVersion !== undefined && { protocolVersionHeader: protocolVersion }),
        ...(method !== undefined && { mcpMethodHeader: method }),
        ...(name !== undefined && { mcpNameHeader: name }),
      });
      return outcome.kind !== 'legacy';
    },
    answer(request, body, origin) {
      origins.set(request, origin);
      return handler.fetch(request, { parsedBody: body });
    },
    close: () => handler.close(),
  };
}
