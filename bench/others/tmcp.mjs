// tmcp on node:http, as the README of @tmcp/transport-http sets one up.
import { createServer } from 'node:http';
import { createRequestListener } from '@remix-run/node-fetch-server';
import { ZodJsonSchemaAdapter } from '@tmcp/adapter-zod';
import { HttpTransport } from '@tmcp/transport-http';
import { McpServer } from 'tmcp';
import { answerTo, CreateTask, DESCRIPTION, report, TOOL } from './task.mjs';

const server = new McpServer(
  { name: 'bench', version: '1.0.0', description: 'Tasks' },
  { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: { listChanged: true } } },
);
server.tool({ name: TOOL, description: DESCRIPTION, schema: CreateTask }, (task) => ({
  content: [{ type: 'text', text: answerTo(task) }],
}));
const transport = new HttpTransport(server, { path: '/mcp' });
const respond = async (request) =>
  (await transport.respond(request)) ?? new Response(null, { status: 404 });
const http = createServer(createRequestListener(respond)).listen(0, '127.0.0.1', () =>
  report(http.address().port),
);
