import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

export interface ConnectedClient extends Client {
  /** Calls a tool, and gives back the result as the revisions up to 2025-11-25 know it. */
  call(name: string, args?: Record<string, unknown>): Promise<CallToolResult>;
  /** Ends the session with DELETE, and the connection. */
  leave(): Promise<void>;
}

/** The official client over real HTTP, initialized. */
export async function connect(
  url: string,
  headers: Record<string, string> = {},
): Promise<ConnectedClient> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: 'spec', version: '1.0.0' });
  // The SDK's own transport does not fit its own interface under exactOptionalPropertyTypes.
  await client.connect(transport);
  return Object.assign(client, {
    call: async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })) as CallToolResult,
    leave: async () => {
      await transport.terminateSession();
      await client.close();
    },
  });
}

/** The text of the one text block of a result. */
export function textOf(result: CallToolResult): string {
  const [block, ...others] = result.content;
  if (block?.type !== 'text' || others.length > 0) throw new Error(JSON.stringify(result));
  return block.text;
}
