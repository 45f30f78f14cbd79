import type { McpTransport } from './mcp.options.js';

// This function is not in `mcp.defaults.ts`, because that file loads core. `McpModule` calls the
// function before it loads the server.
/** Returns true if the option or `FLEDGE_MCP_STDIO=1` selects stdin and stdout for MCP. */
export function usesStdio(transport: McpTransport | undefined): boolean {
  return transport === 'stdio' || process.env['FLEDGE_MCP_STDIO'] === '1';
}
