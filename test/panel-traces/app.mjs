// An application with the real OpenTelemetry SDK and the panel, called by both official clients. Arguments:
// express or fastify, and the share of calls that are sampled. Prints what the panel sent, as one line of JSON.
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NodeTracerProvider, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node';
import { PanelSpanProcessor } from '@fledge/panel/telemetry';

const [, , platform, share = '1'] = process.argv;
const provider = new NodeTracerProvider({
  sampler: new TraceIdRatioBasedSampler(Number(share)),
  spanProcessors: [new PanelSpanProcessor()],
});
provider.register();
new HttpInstrumentation().setTracerProvider(provider);
// The instrumentation patches `http` when it is required, so before everything that serves.
createRequire(import.meta.url)('http');

await import('reflect-metadata');
const { Controller, Get, Module, NotFoundException, Param } = await import('@nestjs/common');
const { NestFactory } = await import('@nestjs/core');
const { McpModule, McpTool } = await import('@fledge/mcp');
const { PanelModule } = await import('@fledge/panel');
const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } =
  await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { Client: ModernClient, StreamableHTTPClientTransport: ModernTransport } =
  await import('@modelcontextprotocol/client');

const orm = trace.getTracer('orm');

class TasksController {
  async find(id) {
    await orm.startActiveSpan(
      `SELECT ${id}`,
      { attributes: { 'db.query.parameter.0': 'hunter2' } },
      async (span) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        if (id === 'missing') span.setStatus({ code: 2, message: 'no row for hunter2' });
        span.end();
      },
    );
    // A span that ends long after the answer.
    const late = orm.startSpan('audit later');
    setTimeout(() => late.end(), 1_000).unref();
    if (id === 'missing') throw new NotFoundException();
    return { id };
  }
}
const route = Object.getOwnPropertyDescriptor(TasksController.prototype, 'find');
Reflect.defineMetadata('design:paramtypes', [String], TasksController.prototype, 'find');
Param('id')(TasksController.prototype, 'find', 0);
Get(':id')(TasksController.prototype, 'find', route);
McpTool({ name: 'find', description: 'Finds' })(TasksController.prototype, 'find', route);
Controller('tasks')(TasksController);

class AppModule {}
Module({
  imports: [McpModule.forRoot({ name: 'traced', sessions: { max: 9 } }), PanelModule.forRoot()],
  controllers: [TasksController],
})(AppModule);

const { ExpressAdapter } = await import('@nestjs/platform-express');
const { FastifyAdapter } = await import('@nestjs/platform-fastify');
const adapter = platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const base = await app.getUrl();
const url = new URL(`${base}/_mcp/messages`);

const info = { name: 'official', version: '1.0.0' };
const older = new Client(info);
await older.connect(new StreamableHTTPClientTransport(url));
const newer = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
await newer.connect(new ModernTransport(url));

for (const client of [older, newer]) {
  await client.listTools();
  await client.callTool({ name: 'find', arguments: { id: 'alone' } });
  await Promise.all(
    ['one', 'two', 'missing'].map((id) => client.callTool({ name: 'find', arguments: { id } })),
  );
  await client.callTool({ name: 'unknown', arguments: {} }).catch(() => undefined);
}
await new Promise((resolve) => setTimeout(resolve, 400));
const view = await (await fetch(`${base}/_fledge/api/calls`)).json();
await older.close();
await newer.close();
await app.close();
process.stdout.write(`${JSON.stringify(view)}\n`);
process.exit(0);
