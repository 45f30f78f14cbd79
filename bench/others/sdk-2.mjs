// The official SDK 2.x on node:http, as the README of @modelcontextprotocol/node sets one up: a server for each request.
import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
} from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { answerTo, CreateTask, DESCRIPTION, report, TOOL } from './task.mjs';

const validateHost = localhostHostValidation();
const validateOrigin = localhostOriginValidation();
const http = createServer(async (req, res) => {
  if (!validateHost(req, res) || !validateOrigin(req, res)) return;
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(TOOL, { description: DESCRIPTION, inputSchema: CreateTask }, (task) => ({
    content: [{ type: 'text', text: answerTo(task) }],
  }));
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
  await server.connect(transport);
  await transport.handleRequest(req, res);
}).listen(0, '127.0.0.1', () => report(http.address().port));
