// An application of one controller. Arguments: `plain` for a controller without @McpTool, `decorator` for one
// with it, `module` to import McpModule too, `search` to import it with a search, or `oidc` with a provider, and then clients that call it one after the other: `session`,
// `plain-call` and `stateless`.
import { writeSync } from 'node:fs';
import 'reflect-metadata';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

const [kind, ...clients] = process.argv.slice(2);
const mcp = kind === 'plain' ? undefined : await import('@fledge/mcp');

class TasksController {
  list() {
    return [];
  }
}
const list = Object.getOwnPropertyDescriptor(TasksController.prototype, 'list');
Get()(TasksController.prototype, 'list', list);
mcp?.McpTool({ name: 'list', description: 'List tasks' })(TasksController.prototype, 'list', list);
Controller('tasks')(TasksController);

const auth = { type: 'oidc', issuer: 'https://login.example.com', audience: 'https://a.example' };

class AppModule {}
Module({
  imports:
    kind === 'module' || kind === 'search' || kind === 'oidc'
      ? [
          mcp.McpModule.forRoot({
            name: 'loaded',
            search: kind === 'search',
            ...(kind === 'oidc' && { auth }),
          }),
        ]
      : [],
  controllers: [TasksController],
})(AppModule);

const app = await NestFactory.create(AppModule, { logger: false });
await app.listen(0, '127.0.0.1');
const url = `${await app.getUrl()}/_mcp/messages`;

const clientInfo = { name: 'loaded', version: '0.0.0' };
const REVISION = '2026-07-28';
const _meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };

async function post(method, params, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      connection: 'close',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return `${response.status} ${await response.text()}`;
}

const stateless = (method, params, headers) =>
  post(
    method,
    { ...params, _meta },
    { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...headers },
  );

const CLIENTS = {
  session: () => post('initialize', initialize),
  'plain-call': () => stateless('tools/call', { name: 'list' }, { 'mcp-name': 'list' }),
  stateless: () => stateless('server/discover', {}),
};

writeSync(2, 'boot \n');
for (const client of clients) {
  const answer = await CLIENTS[client]();
  writeSync(2, `${client} ${answer.replaceAll('\n', ' ')}\n`);
}
await app.close();
