import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';

type Tool = (args: unknown, authorization: string) => Promise<CallToolResult> | CallToolResult;

/** The SDK's own way to serve sessions, as its documentation shows it: a transport for each. */
export function sdkSessions(tool: Tool): (req: IncomingMessage, res: ServerResponse) => void {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const jsonSchemaValidator = new AjvJsonSchemaValidator();

  return (request, response) => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    void (known ?? open()).handleRequest(request, response);
  };

  function open(): StreamableHTTPServerTransport {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    const server = new Server(
      { name: 'bench', version: '0.0.0' },
      { capabilities: { tools: {} }, jsonSchemaValidator },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'tasks_create', inputSchema: { type: 'object' as const } }],
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestInfo }) =>
      tool(params.arguments, String(requestInfo?.headers['authorization'])),
    );
    void server.connect(transport as Parameters<Server['connect']>[0]);
    return transport;
  }
}
