// A noisy application: everything in it prints. Argument: express or fastify.
import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import { Controller, Get, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpAdapter, McpCallInfo, McpModule, McpTool } from '@fledge/mcp';
import { platformAdapter } from '../support/platform-adapter.mjs';

if (process.env.TRACED === '1') {
  const { NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node');
  const nothing = () => Promise.resolve();
  const onEnd = ({ name, status }) => console.error('span', name, status.code);
  const printing = { onStart() {}, onEnd, forceFlush: nothing, shutdown: nothing };
  new NodeTracerProvider({ spanProcessors: [printing] }).register();
}

// Before `forRoot()` is reached.
if (process.env.FLEDGE_MCP_STDIO === '1') console.log('early');

class NoisyController {
  constructor() {
    console.log('constructor');
  }
  noise(request) {
    console.log('route');
    console.info({ an: 'object' });
    process.stdout.write('no line end');
    return { ip: request.ip, authorization: request.headers.authorization ?? null };
  }
}
const { prototype } = NoisyController;
prototype.ask = async function (call) {
  call.progress(1, 1);
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } } };
  console.log('asking');
  const answer = await call.elicit({ message: 'Well?', schema });
  return { action: answer.action, ok: answer.content?.ok ?? null };
};
const ask = Object.getOwnPropertyDescriptor(prototype, 'ask');
McpCallInfo()(prototype, 'ask', 0);
Post('ask')(prototype, 'ask', ask);
McpTool({ name: 'ask', description: 'Asks' })(prototype, 'ask', ask);
const isKeyed = process.env.KEYED === '1';
const writes = {
  store: {
    connect: async () => ({
      begin: async () => undefined,
      renew: async () => undefined,
      end: async () => console.error('the store got the response'),
      close: async () => console.error('the store was closed'),
    }),
  },
};
prototype.large = () => 'x'.repeat(900_000);
let changed = () => undefined;
prototype.slow = () => {
  changed();
  return setTimeout(300, 'at last');
};
for (const name of ['large', 'slow']) {
  const route = Object.getOwnPropertyDescriptor(prototype, name);
  const keyed = isKeyed && name === 'slow';
  (keyed ? Post : Get)(name)(prototype, name, route);
  McpTool({ name, description: 'Takes its time', idempotency: keyed })(prototype, name, route);
}
const descriptor = Object.getOwnPropertyDescriptor(prototype, 'noise');
Get('noise')(prototype, 'noise', descriptor);
McpTool({ name: 'noise', description: 'Prints' })(prototype, 'noise', descriptor);
const { Req } = await import('@nestjs/common');
Req()(prototype, 'noise', 0);
Controller()(NoisyController);

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'noisy',
      transport: 'stdio',
      search: process.env.SEARCH === '1',
      ...(isKeyed && { writes }),
      ...(process.env.CHANGING === '1' && { visible: () => true }),
      audit: {
        onCall: async ({ name, outcome, client, via }) => {
          if (process.env.SLOW_AUDIT === '1') await setTimeout(300);
          console.error('audited', name, outcome, client?.name, via ?? 'direct');
        },
        await: process.env.SLOW_AUDIT !== '1',
      },
      ...(process.env.ENDPOINTS === '1' && {
        endpoints: [
          { path: '/mcp/get', include: ['GET'] },
          { path: '/mcp/ask', exclude: ['/noise', '/large', '/slow'] },
        ],
      }),
    }),
  ],
  controllers: [NoisyController],
})(AppModule);

console.log('main');
const adapter = await platformAdapter(process.argv[2]);
const app = await NestFactory.create(AppModule, adapter);
// A call of `slow` changes the list of tools.
if (process.env.CHANGING === '1')
  changed = () => app.get(McpAdapter, { strict: false }).toolsChanged();
await app.listen(0);
console.log('never printed');
