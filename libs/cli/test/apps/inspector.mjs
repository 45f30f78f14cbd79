// Reads the file of --config as the MCP Inspector does, connects to its server with the official client, prints
// what it sees, and ends on a signal. The real Inspector needs Node.js 22: test/inspector/run.mjs runs that.
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setInterval } from 'node:timers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [flag, file, ...more] = process.argv.slice(2);
const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
const [[name, { type, url, headers, ...server }]] = Object.entries(mcpServers);
const transport =
  type === 'stdio'
    ? new StdioClientTransport({ ...server, stderr: 'ignore' })
    : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
const client = new Client({ name: 'inspector', version: '1.0.0' });
await client.connect(transport);
const { tools } = await client.listTools();
const { content } = await client.callTool({ name: 'noisy_token', arguments: {} });
setInterval(() => undefined, 1000);
process.once('SIGINT', async () => {
  await client.close();
  process.exit(0);
});
console.log(
  JSON.stringify({
    args: [flag, ...more],
    file,
    modes: [statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777],
    name,
    type,
    tools: tools.length,
    token: content[0].text,
  }),
);
