import type { McpTransport } from './mcp.options.js';

// Not in mcp.defaults.ts, because that file loads core. McpModule calls this function earlier.
/** Returns true if MCP uses stdin and stdout, because of the option or `FLEDGE_MCP_STDIO=1`. */
export function usesStdio(transport: McpTransport | undefined): boolean {
  return transport === 'stdio' || process.env['FLEDGE_MCP_STDIO'] === '1';
}
