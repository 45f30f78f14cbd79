import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { CallOrigin } from '../dispatch/call.js';
import type { ResolvedMcpOptions } from '../mcp.defaults.js';
import { isObject } from './json-rpc.js';
import { type ToolCaller, unknownTool } from './tool.caller.js';

type Sdk = typeof import('@modelcontextprotocol/server');

/** A protocol server of the SDK for 2026-07-28 on the tools of the application. */
export function toolServer(
  sdk: Sdk,
  { name, version, description }: ResolvedMcpOptions,
  tools: ToolCaller,
  originOf: (context: ServerContext) => CallOrigin | undefined,
): Server {
  const server = new sdk.Server(
    { name, version },
    {
      // No `listChanged`: the list is fixed at boot.
      capabilities: { tools: {} },
      ...(description !== undefined && { instructions: description }),
    },
  );
  server.setRequestHandler('tools/list', () => JSON.parse(tools.listJson) as { tools: [] });
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const origin = originOf(context);
    const args = isObject(params.arguments) ? params.arguments : {};
    const call = origin && tools.call(params.name, args, origin);
    if (!call) {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, unknownTool(params.name));
    }
    context.mcpReq.signal.addEventListener('abort', () => call.abort(), { once: true });
    return (await call.result) as never;
  });
  return server;
}
