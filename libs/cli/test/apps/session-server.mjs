// A server of the revisions with sessions, by the official SDK; it reports progress. Prints its URL, and
// the methods it is asked with.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const mcp = new McpServer({ name: 'sessions', version: '1.0.0' });
mcp.registerTool(
  'count',
  { description: 'Counts to three' },
  async ({ sendNotification, _meta }) => {
    for (const progress of [1, 2, 3]) {
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken: _meta.progressToken, progress, total: 3, message: 'counting' },
      });
    }
    return { content: [{ type: 'text', text: 'counted' }] };
  },
);
const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID });
await mcp.connect(transport);
const server = createServer((request, response) => {
  console.log(request.method);
  transport.handleRequest(request, response);
});
server.listen(0, () => console.log(`at http://localhost:${server.address().port}`));
