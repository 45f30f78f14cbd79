// mcp-remote between a client on stdio and the endpoint. Arguments: those of mcp-remote.
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const proxy = fileURLToPath(new URL('./node_modules/mcp-remote/dist/proxy.js', import.meta.url));
const args = [proxy, ...process.argv.slice(2)];
const client = new Client({ name: 'spec', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: process.execPath, args }));
console.log(JSON.stringify(await client.callTool({ name: 'hello', arguments: {} })));
await client.close();
