import type { McpTransport } from './mcp.options.js';

// Not in mcp.defaults.ts, which loads core: McpModule calls this before it loads the server.
/** True if MCP uses stdin and stdout: by the option, or by `FLEDGE_MCP_STDIO=1`. */
export function usesStdio(transport: McpTransport | undefined): boolean {
  return transport === 'stdio' || process.env['FLEDGE_MCP_STDIO'] === '1';
}
