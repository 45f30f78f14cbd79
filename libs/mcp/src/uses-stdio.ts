import type { McpTransport } from './mcp.options.js';

// Not in `mcp.defaults.ts`: that file loads core, and `McpModule` calls this function before it
// loads the server.
/** Returns true if MCP uses stdin and stdout, because of the option or `FLEDGE_MCP_STDIO=1`. */
export function usesStdio(transport: McpTransport | undefined): boolean {
  return transport === 'stdio' || process.env['FLEDGE_MCP_STDIO'] === '1';
}
