import { metrics } from '@opentelemetry/api';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { McpAdapterOptions } from '@fledge/mcp';

/**
 * What observes the calls of a server. `off`: nothing can; `audited`: records that are dropped; `traced`: an
 * SDK without exporters. Anything else is what an application without options has.
 */
export function observing(dress: string | undefined): Partial<McpAdapterOptions> {
  switch (dress) {
    case 'off':
      return { telemetry: 'off' };
    case 'audited':
      return { audit: { onCall: () => undefined } };
    case 'traced':
      new NodeTracerProvider().register();
      metrics.setGlobalMeterProvider(new MeterProvider());
      return {};
    default:
      return {};
  }
}
