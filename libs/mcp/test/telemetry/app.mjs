// An application with the real OpenTelemetry SDK, called by both official clients. Arguments: express or fastify, and
// "direct" for requests that go ahead of it. Prints the spans that it made, as one line of JSON.
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
new HttpInstrumentation().setTracerProvider(provider);
// The instrumentation patches `http` when it is required, so before everything that serves.
createRequire(import.meta.url)('http');

await import('reflect-metadata');
const { Controller, Get, Module, Param } = await import('@nestjs/common');
const { NestFactory } = await import('@nestjs/core');
const { McpModule, McpTool, McpResource } = await import('@fledge/mcp');
const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
const { StreamableHTTPClientTransport } =
  await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { Client: ModernClient, StreamableHTTPClientTransport: ModernTransport } =
  await import('@modelcontextprotocol/client');

const orm = trace.getTracer('orm');

class TasksController {
  async find(id) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await orm.startActiveSpan('SELECT tasks', async (span) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      span.end();
    });
    return { id };
  }
}
const route = Object.getOwnPropertyDescriptor(TasksController.prototype, 'find');
Reflect.defineMetadata('design:paramtypes', [String], TasksController.prototype, 'find');
Param('id')(TasksController.prototype, 'find', 0);
Get(':id')(TasksController.prototype, 'find', route);
McpTool({ name: 'find', description: 'Finds' })(TasksController.prototype, 'find', route);
McpResource({ uri: 'tasks://{id}' })(TasksController.prototype, 'find', route);
Controller('tasks')(TasksController);

class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      name: 'traced',
      sessions: { max: 9 },
      direct: process.argv[3] === 'direct',
    }),
  ],
  controllers: [TasksController],
})(AppModule);

const { ExpressAdapter } = await import('@nestjs/platform-express');
const { FastifyAdapter } = await import('@nestjs/platform-fastify');
const adapter = process.argv[2] === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
const app = await NestFactory.create(AppModule, adapter, { logger: false });
await app.listen(0, '127.0.0.1');
const url = new URL(`${await app.getUrl()}/_mcp/messages`);

const info = { name: 'official', version: '1.0.0' };
const older = new Client(info);
await older.connect(new StreamableHTTPClientTransport(url));
const newer = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
await newer.connect(new ModernTransport(url));

/** Calls with and without a trace in `_meta`. */
async function callAs(name, client, traceId) {
  await client.callTool({ name: 'find', arguments: { id: `${name}-ambient` } });
  await client.callTool({
    name: 'find',
    arguments: { id: `${name}-meta` },
    _meta: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
  });
  await client.readResource({ uri: `tasks://${name}-resource` });
  await client.callTool({ name: 'unknown', arguments: {} }).catch(() => undefined);
}
await callAs('older', older, '1'.repeat(32));
await callAs('newer', newer, '2'.repeat(32));
await older.close();
await newer.close();
await app.close();
await provider.forceFlush();

const spans = exporter.getFinishedSpans().map((span) => ({
  scope: span.instrumentationScope.name,
  name: span.name,
  kind: span.kind,
  trace: span.spanContext().traceId,
  id: span.spanContext().spanId,
  parent: span.parentSpanContext?.spanId,
  links: span.links.map(({ context: { spanId } }) => spanId),
  status: span.status,
  attributes: span.attributes,
}));
process.stdout.write(`${JSON.stringify(spans)}\n`);
process.exit(0);
