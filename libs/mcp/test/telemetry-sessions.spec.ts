// How `mcp.server.session.duration` says that a session ended, and over which version of HTTP it was opened.
import { connect as connectHttp2 } from 'node:http2';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { type McpAdapterOptions, McpTool } from '../src/index.js';
import { Mount } from '../src/serve/transport/mount.js';
import { platforms } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { until } from '../../../test/support/until.js';
import { controllers, openSessions, type RunningApp, startApp } from './support/app.js';
import { INITIALIZE } from './support/wire.js';

@Controller()
class ThingsController {
  @Get('things')
  @McpTool({ name: 'things', description: 'Lists things' })
  list() {
    return [];
  }
}

const spans = recordSpans();

let numbers: InMemoryMetricExporter;
let metering: MeterProvider;
let running: RunningApp;

async function start(adapter = platforms[0]!.adapter(), sessions?: McpAdapterOptions['sessions']) {
  numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: numbers,
    exportIntervalMillis: 1e6,
  });
  metering = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(metering);
  running = await startApp(adapter, {
    ...controllers(ThingsController),
    ...(sessions && { mcp: { sessions } }),
  });
}

afterEach(async () => {
  await running.close();
  await metering.shutdown();
  metrics.disable();
});

/** The attributes of the sessions that ended. */
async function ended(): Promise<Record<string, unknown>[]> {
  await metering.forceFlush();
  const exported = numbers
    .getMetrics()
    .at(-1)
    ?.scopeMetrics.flatMap(({ metrics }) => metrics);
  const sessions = exported?.find(
    ({ descriptor }) => descriptor.name === 'mcp.server.session.duration',
  );
  return (sessions?.dataPoints ?? []).map(({ attributes }) => attributes);
}

const of = (id: string) => ({ 'mcp-session-id': id });
const ENDED = {
  'mcp.protocol.version': '2025-11-25',
  'network.transport': 'tcp',
  'network.protocol.name': 'http',
  'network.protocol.version': '1.1',
};

describe.each(platforms)('the duration of a session on $name', ({ adapter }) => {
  it('has no error type if its client ended it', async () => {
    await start(adapter());
    await running.wire.send('DELETE', of(await running.wire.initialize()));
    expect(await ended()).toEqual([ENDED]);
  });

  it('has no error type if its client opened another in its place', async () => {
    await start(adapter());
    await running.wire.initialize(of(await running.wire.initialize()));
    expect(await ended()).toEqual([ENDED]);
  });

  it('has the error type timeout after sessions.idleTimeoutMs', async () => {
    await start(adapter(), { idleTimeoutMs: 20 });
    await running.wire.initialize();
    await until(() => openSessions(running) === 0);
    expect(await ended()).toEqual([{ ...ENDED, 'error.type': 'timeout' }]);
  });

  it('has the error type evicted if another client got its place', async () => {
    await start(adapter(), { max: 1, reclaimAfterMs: 1 });
    await running.wire.initialize();
    await until(async () => (await running.wire.post(INITIALIZE)).status === 200);
    expect(await ended()).toEqual([{ ...ENDED, 'error.type': 'evicted' }]);
  });

  it('has the error type terminated if an operator ended it', async () => {
    await start(adapter());
    await running.wire.initialize();
    const mount = running.app.get(Mount, { strict: false });
    expect(mount.endSession(mount.sessions.endpoints[0]!.open[0]!.key)).toBe(true);
    expect(await ended()).toEqual([{ ...ENDED, 'error.type': 'terminated' }]);
  });

  it('has no error type if the application closed', async () => {
    await start(adapter());
    await running.wire.initialize();
    await running.close();
    expect(await ended()).toEqual([ENDED]);
  });
});

it('reports the version of HTTP of a session and its calls over HTTP/2', async () => {
  await start(new FastifyAdapter({ http2: true }));
  const { app } = running;
  running = { ...running, close: () => app.close() };
  const http2 = connectHttp2(running.url);
  const send = (method: string, headers: Record<string, string>, body?: object) =>
    new Promise<string>((resolve, reject) => {
      let session = '';
      http2
        .request({
          ':method': method,
          ':path': '/_mcp/messages',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        })
        .on('response', (answered) => (session = String(answered['mcp-session-id'])))
        .on('error', reject)
        .on('end', () => resolve(session))
        .resume()
        .end(body && JSON.stringify(body));
    });
  const id = await send('POST', {}, INITIALIZE);
  await send('POST', of(id), { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await send('DELETE', of(id));
  http2.close();
  expect(await ended()).toEqual([{ ...ENDED, 'network.protocol.version': '2' }]);
  expect(
    spans
      .getFinishedSpans()
      .map(({ name, attributes }) => [name, attributes['network.protocol.version']]),
  ).toEqual([
    ['initialize', '2'],
    ['tools/list', '2'],
  ]);
});
