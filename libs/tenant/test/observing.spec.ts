import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Controller, Get, Logger, Module, type Type } from '@nestjs/common';
import {
  Tenancy,
  TenantConsoleLogger,
  tenantLogFields,
  TenantModule,
  TenantSpanProcessor,
  UniversalRoute,
} from '@fledge/tenant';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { call, closeAll, createApp, platforms } from '../../../test/support/platforms.js';

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new TenantSpanProcessor(), new SimpleSpanProcessor(exporter)],
}).getTracer('test');

@Controller()
class Routes {
  private readonly logger = new Logger('Invoices');

  @Get('invoices')
  @UniversalRoute()
  async invoices() {
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.logger.log('listed');
    tracer.startSpan('query').end();
    return tenantLogFields();
  }
}

@Module({ imports: [TenantModule.forRoot({ strategy: 'header' })], controllers: [Routes] })
class AppModule {}

afterEach(async () => {
  await closeAll();
  Logger.overrideLogger(false);
  exporter.reset();
  jest.restoreAllMocks();
});

describe.each(platforms)('observing on $name', ({ adapter }) => {
  async function lines(logger: TenantConsoleLogger): Promise<string[]> {
    const app = await createApp(AppModule as Type, adapter(), { logger });
    await app.listen(0, '127.0.0.1');
    const url = `${await app.getUrl()}/invoices`;
    const written: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      written.push(String(line));
      return true;
    });
    expect((await call(url, { headers: { 'x-tenant-id': 'acme' } })).body).toEqual({
      tenantId: 'acme',
    });
    expect((await call(url)).body).toEqual({});
    jest.restoreAllMocks();
    return written.filter((line) => line.includes('listed'));
  }

  it('names the tenant in lines of text', async () => {
    const [ours, nobodys] = await lines(new TenantConsoleLogger({ colors: false }));
    expect(ours).toContain('[acme] [Invoices] listed');
    expect(nobodys).toMatch(/LOG \[Invoices\] listed/);
  });

  it('names it in lines of JSON, and in spans', async () => {
    const [ours, nobodys] = await lines(new TenantConsoleLogger({ json: true }));
    expect(JSON.parse(ours!)).toMatchObject({ message: 'listed', tenantId: 'acme' });
    expect(JSON.parse(nobodys!)).not.toHaveProperty('tenantId');
    const spans = exporter.getFinishedSpans().map(({ attributes }) => attributes);
    expect(spans).toEqual([{ 'tenant.id': 'acme' }, {}]);
  });
});

it('tenantLogFields() is empty and throws nothing where there is no tenant', async () => {
  expect(tenantLogFields()).toEqual({});
  const app = await createApp(AppModule as Type, platforms[0]!.adapter());
  expect(tenantLogFields()).toEqual({});
  const tenancy = app.get(Tenancy);
  expect(await tenancy.runCentral('report', () => tenantLogFields())).toEqual({});
  expect(await tenancy.run('acme', () => tenantLogFields())).toEqual({ tenantId: 'acme' });
});
