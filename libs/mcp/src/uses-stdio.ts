import type { McpTransport } from './mcp.options.js';

// Apart from the defaults, which load core: McpModule asks before it loads what serves.
/** Whether MCP is spoken over stdin and stdout: by the option, or by `FLEDGE_MCP_STDIO=1`. */
export function usesStdio(transport: McpTransport | undefined): boolean {
  return transport === 'stdio' || process.env['FLEDGE_MCP_STDIO'] === '1';
}
