import type { XmcpConfig } from 'xmcp';

// The compiler writes the port into the program.
const config: XmcpConfig = {
  http: { port: 39_771, endpoint: '/mcp' },
  paths: { tools: './src/tools', prompts: false, resources: false },
};
export default config;
