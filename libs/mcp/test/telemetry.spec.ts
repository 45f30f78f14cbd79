// Spans and histograms of the real SDK, by option, outcome and transport of the trace.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  ConflictException,
  Controller,
  Get,
  Headers,
  InternalServerErrorException,
  Param,
  Post,
} from '@nestjs/common';
import { metrics, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { type McpAdapterOptions, McpPrompt, McpResource, McpTool } from '../src/index.js';
import { type Platform, platforms } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { until } from '../../../test/support/until.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';

class Login {
  @IsString()
  @ApiProperty()
  name!: string;

  @IsString()
  @ApiProperty({ format: 'password' })
  password!: string;
}

@Controller('traced')
class TracedController {
  @Post()
  @McpTool({ name: 'login', description: 'Logs in', redact: ['name'] })
  login(@Body() { name }: Login) {
    if (name === 'taken') throw new ConflictException('Taken');
    return { name, token: 'secret-token', ok: true };
  }

  @Post('cut')
  @McpTool({ name: 'cut', description: 'Cut', redact: ['name'], result: { maxBytes: 12 } })
  cut(@Body() { name }: Login) {
    return { name, ok: true };
  }

  @Get('headers/now')
  @McpTool({ name: 'headers', description: 'Its trace headers' })
  headers(@Headers() { traceparent, baggage }: Record<string, string>) {
    return { traceparent, baggage, active: trace.getActiveSpan()?.spanContext().spanId };
  }

  @Get('broken/:id')
  @McpResource({ uri: 'broken://{id}' })
  @McpPrompt({ name: 'greet', description: 'Greets' })
  broken(@Param('id') id: string) {
    if (id === 'x') throw new InternalServerErrorException();
    return `Hello ${id}`;
  }

  @Get('endless/now')
  @McpTool({ name: 'endless', description: 'Never responds' })
  endless() {
    return new Promise(() => undefined);
  }

  @Get('admin/now')
  @McpTool({ name: 'admin', description: 'For admins', scopes: ['admin'] })
  admin() {
    return 'admin';
  }
}

const spans = recordSpans();
const numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 1e6 });
const metering = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  metrics.setGlobalMeterProvider(metering);
});
afterAll(async () => {
  await metering.shutdown();
  metrics.disable();
});

let running: RunningApp | undefined;
let client: EraClient | undefined;

afterEach(async () => {
  await client?.close();
  await running?.close();
  client = running = undefined;
});

async function start(adapter: Platform['adapter'], telemetry?: McpAdapterOptions['telemetry']) {
  running = await startApp(adapter(), {
    ...controllers(TracedController),
    mcp: {
      auth: { type: 'bearer', validate: (token) => token === 'good' && { id: 'user-1' } },
      ...(telemetry !== undefined && { telemetry }),
    },
  });
  return running;
}

const GOOD = { headers: { authorization: 'Bearer good' } };
const META = { traceparent: `00-${'3'.repeat(32)}-${'4'.repeat(16)}-01`, baggage: 'from=meta' };

function finished(method: string) {
  return spans
    .getFinishedSpans()
    .filter(({ attributes }) => attributes['mcp.method.name'] === method);
}

async function call(era: string, meta?: Record<string, string>, name = 'headers', args = {}) {
  const result = await (client!.client as { callTool(params: object): Promise<object> }).callTool({
    name,
    arguments: args,
    ...(meta && { _meta: meta }),
  });
  const { content } = result as { content: readonly { text: string }[] };
  return JSON.parse(content[0]!.text) as Record<string, string>;
}

describe.each(platforms)('telemetry on $name', ({ adapter }) => {
  describe.each(eras)('of a client of %s', (era) => {
    it('gives the span the outcome: error type, status, principal and session', async () => {
      const { endpoint } = await start(adapter);
      client = await connectEra(era, endpoint, GOOD);
      await client.call('login', { name: 'taken', password: 'p' });
      await client.call('login', { name: 'x', password: 5 });
      await client.call('admin').catch(() => undefined);
      await client.client.readResource({ uri: 'broken://x' }).catch(() => undefined);
      const [conflict, refused, forbidden] = finished('tools/call');
      expect(forbidden?.name).toBe('tools/call admin');
      const [broken] = finished('resources/read');
      const session = era === '2025-11-25' ? expect.stringMatching(/^[0-9a-f]{16}$/) : undefined;
      expect(conflict).toMatchObject({
        name: 'tools/call login',
        status: { code: SpanStatusCode.ERROR, message: expect.stringContaining('Taken') },
        attributes: { 'error.type': 'tool_error', 'enduser.id': 'user-1' },
      });
      expect(conflict!.attributes['mcp.session.id']).toEqual(session);
      expect(refused!.attributes).toMatchObject({ 'error.type': 'tool_error' });
      expect(forbidden).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '-32000', 'rpc.response.status_code': '-32000' },
      });
      expect(broken).toMatchObject({
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': '-32603', 'rpc.response.status_code': '-32603' },
      });
    });

    it('tells cancelled calls from others, and is no error of the server', async () => {
      const { endpoint } = await start(adapter);
      client = await connectEra(era, endpoint, GOOD);
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), 100);
      const call = client.call('endless', {}, { signal: leaving.signal });
      await expect(call).rejects.toThrow();
      await until(() => finished('tools/call').length === 1);
      expect(finished('tools/call')).toMatchObject([
        {
          name: 'tools/call endless',
          status: { code: SpanStatusCode.UNSET },
          attributes: { 'error.type': 'cancelled' },
        },
      ]);
    });

    it('keeps arguments and results out of spans unless they are wanted, and secrets always', async () => {
      const { endpoint } = await start(adapter);
      client = await connectEra(era, endpoint, GOOD);
      await client.call('login', { name: 'ada', password: 'hunter2' });
      expect(JSON.stringify(finished('tools/call')[0]!.attributes)).not.toMatch(/\bada\b|hunter2/);
      await client.close();
      await running!.close();
      spans.reset();

      const wanting = await start(adapter, { arguments: true, results: true });
      client = await connectEra(era, wanting.endpoint, GOOD);
      await client.call('login', { name: 'ada', password: 'hunter2' });
      await client.client.getPrompt({ name: 'greet', arguments: { id: 'ada' } });
      expect(finished('tools/call')[0]!.attributes).toMatchObject({
        'gen_ai.tool.call.arguments': '{"name":"[redacted]","password":"[redacted]"}',
        'gen_ai.tool.call.result': '{"name":"[redacted]","token":"secret-token","ok":true}',
      });
      expect(finished('prompts/get')[0]).toMatchObject({
        name: 'prompts/get greet',
        attributes: { 'gen_ai.prompt.name': 'greet', 'gen_ai.prompt.variable.id': 'ada' },
      });
    });

    it('keeps secrets out of spans also where the result is cut', async () => {
      const { endpoint } = await start(adapter, { results: true });
      client = await connectEra(era, endpoint, GOOD);
      const { content } = await client.call('cut', { name: 'ada', password: 'hunter2' });
      expect(content[0]).toMatchObject({ text: '{"name":"ada\n(cut to the first 12 of 24 bytes)' });
      expect(finished('tools/call')[0]!.attributes).toMatchObject({
        'gen_ai.tool.call.result': '{"name":"[redacted]","ok":true}',
      });
    });

    it('is the parent of the route without an HTTP instrumentation, too', async () => {
      const { endpoint } = await start(adapter);
      client = await connectEra(era, endpoint, GOOD);
      const seen = await call(era, META);
      const [span] = finished('tools/call');
      const { spanId } = span!.spanContext();
      expect(span!.parentSpanContext?.spanId).toBe('4'.repeat(16));
      expect(seen).toEqual({
        traceparent: `00-${'3'.repeat(32)}-${spanId}-01`,
        baggage: 'from=meta',
        active: spanId,
      });
    });

    it('passes the trace of _meta on without a span in propagate mode', async () => {
      const { endpoint } = await start(adapter, 'propagate');
      client = await connectEra(era, endpoint, GOOD);
      expect(await call(era, META)).toMatchObject(META);
      expect(spans.getFinishedSpans()).toEqual([]);
    });

    it('does nothing when it is off: headers are forwarded as others are', async () => {
      const { endpoint } = await start(adapter, 'off');
      const traceparent = `00-${'5'.repeat(32)}-${'6'.repeat(16)}-01`;
      client = await connectEra(era, endpoint, { headers: { ...GOOD.headers, traceparent } });
      expect(await call(era, META)).toMatchObject({ traceparent });
      expect(spans.getFinishedSpans()).toEqual([]);
    });
  });

  it('traces listening until it was acknowledged, and leaves its stream open', async () => {
    const { app, endpoint } = await start(adapter);
    client = await connectEra('2026-07-28', endpoint, GOOD);
    const subscription = await (client.client as ModernClient).listen({
      resourceSubscriptions: ['broken://1'],
    });
    expect(finished('subscriptions/listen')).toMatchObject([
      { name: 'subscriptions/listen', status: { code: SpanStatusCode.UNSET } },
    ]);
    const { updates } = client;
    await until(() => {
      app.get(McpAdapter).resourceUpdated('broken://1');
      return updates.includes('broken://1');
    });
    await subscription.close();
    expect(finished('subscriptions/listen')).toHaveLength(1);
  });

  it('traces requests that authentication refused, if their headers name the method', async () => {
    const { wire } = await start(adapter);
    await wire.post(
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} },
      { authorization: 'Bearer bad', 'mcp-method': 'tools/call', 'mcp-name': 'login' },
    );
    expect(finished('tools/call')).toMatchObject([
      { name: 'tools/call', attributes: { 'error.type': '-32000', 'gen_ai.tool.name': 'login' } },
    ]);
    spans.reset();
    await wire.post(
      { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'login' } },
      { authorization: 'Bearer bad' },
    );
    expect(spans.getFinishedSpans()).toEqual([]);
  });
});

it('measures calls and sessions, with labels that clients cannot multiply', async () => {
  const { endpoint, wire } = await start(platforms[0]!.adapter);
  client = await connectEra('2025-11-25', endpoint, GOOD);
  await client.call('headers');
  await client.call('login', { name: 'taken', password: 'p' });
  await client.call(`made-up-${Math.random()}`).catch(() => undefined);
  const session = await wire.initialize(GOOD.headers);
  await wire.post(
    { jsonrpc: '2.0', id: 7, method: 'made/up' },
    { ...GOOD.headers, 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
  );
  await client.close();
  await reader.forceFlush();
  const [exported] = numbers.getMetrics().slice(-1);
  const found = exported!.scopeMetrics.flatMap(({ metrics }) => metrics);
  const of = (name: string) => found.find(({ descriptor }) => descriptor.name === name)!;
  const operations = of('mcp.server.operation.duration');
  expect(operations.descriptor).toMatchObject({ unit: 's' });
  const network = {
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'network.protocol.version': '1.1',
  };
  const labels = operations.dataPoints.map(({ attributes }) => attributes);
  const tool = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'mcp.protocol.version': '2025-11-25',
    ...network,
  };
  expect(labels).toContainEqual({ ...tool, 'gen_ai.tool.name': 'headers' });
  expect(labels).toContainEqual({
    ...tool,
    'gen_ai.tool.name': 'login',
    'error.type': 'tool_error',
  });
  expect(labels).toContainEqual({ ...tool, 'rpc.response.status_code': '-32602' });
  expect(labels.map((label) => label['mcp.method.name'])).toContain('_OTHER');
  expect(JSON.stringify(labels)).not.toMatch(/made|user-1|127\.0\.0\.1/);
  const { buckets, sum } = operations.dataPoints[0]!.value as {
    buckets: { boundaries: number[] };
    sum: number;
  };
  expect(buckets.boundaries).toEqual([
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
  ]);
  expect(sum).toBeGreaterThan(0);
  expect(of('mcp.server.session.duration').dataPoints).toContainEqual(
    expect.objectContaining({ attributes: { 'mcp.protocol.version': '2025-11-25', ...network } }),
  );
});
