import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import type { CallOrigin } from '../dispatch/call.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { type ToolCaller, unknownTool } from './tool.caller.js';

/** What of the MCP SDK serves clients of the revisions up to 2025-11-25. */
export interface SessionProtocol {
  /** A protocol server for one session. */
  createServer(origins: CallOrigins): Server;
  /** Whether the SDK takes a message at all; one it does not take it never answers. */
  isMessage(message: unknown): boolean;
  /** Whether a JSON-RPC message is a well-formed `initialize` request. */
  isInitialize(message: unknown): boolean;
  readonly supportedVersions: readonly string[];
}

/** Finds the HTTP request that carried a JSON-RPC request of a session. */
type CallOrigins = (id: string | number) => CallOrigin | undefined;

/** Loads the SDK: here and nowhere else, so that an application without `McpModule` never does. */
export async function loadSessionProtocol(
  options: ResolvedMcpOptions,
  tools: ToolCaller,
): Promise<SessionProtocol> {
  // One after the other: side by side, the ESM loader of Jest loses modules they share.
  const { Server } = await import('@modelcontextprotocol/sdk/server/index.js');
  const types = await import('@modelcontextprotocol/sdk/types.js');
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
  // One for all sessions: the SDK would build an Ajv for each.
  const jsonSchemaValidator = new AjvJsonSchemaValidator();
  const serverInfo: Implementation = { name: options.name, version: options.version };

  return {
    supportedVersions: types.SUPPORTED_PROTOCOL_VERSIONS,
    isMessage: (message) => types.JSONRPCMessageSchema.safeParse(message).success,
    isInitialize: types.isInitializeRequest,
    createServer(origins) {
      const server = new Server(serverInfo, {
        // No `listChanged`: the list is fixed at boot.
        capabilities: { tools: {} },
        jsonSchemaValidator,
        ...(options.description !== undefined && { instructions: options.description }),
      });
      // The session answers well-formed `tools/*` itself; what is odd about the others, the SDK says.
      server.setRequestHandler(
        types.ListToolsRequestSchema,
        () => JSON.parse(tools.listJson) as object,
      );
      server.setRequestHandler(types.CallToolRequestSchema, async ({ params }, { requestId }) => {
        const origin = origins(requestId);
        const call = origin && tools.call(params.name, params.arguments ?? {}, origin);
        if (!call) {
          throw new types.McpError(types.ErrorCode.InvalidParams, unknownTool(params.name));
        }
        return await call.result;
      });
      return server;
    },
  };
}
