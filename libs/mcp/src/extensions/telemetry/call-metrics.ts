import type { Attributes, Histogram, MeterProvider } from '@opentelemetry/api';
import { openTelemetry as registered } from '@fledge/core/packages';

export type OpenTelemetryApi = typeof import('@opentelemetry/api');

/** Returns the OpenTelemetry API if an SDK is registered, otherwise undefined. */
export const openTelemetry = registered as () => OpenTelemetryApi | undefined;

/** Name of the tracer and the meter. */
export const SCOPE = '@fledge/mcp';

const OPERATION = 'mcp.server.operation.duration';
const SESSION = 'mcp.server.session.duration';

/** Bucket boundaries in seconds (semantic conventions, docs/gen-ai/mcp.md). */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

interface Histograms {
  readonly [OPERATION]: Histogram;
  readonly [SESSION]: Histogram;
}

// One entry for each provider. If a histogram was created before the SDK registered its provider,
// it never records anything.
const byProvider = new WeakMap<MeterProvider, Histograms>();

export function recordOperation(
  otel: OpenTelemetryApi,
  seconds: number,
  attributes: Attributes,
): void {
  histogramsOf(otel)[OPERATION].record(seconds, attributes);
}

export function recordSession(
  otel: OpenTelemetryApi,
  seconds: number,
  attributes: Attributes,
): void {
  histogramsOf(otel)[SESSION].record(seconds, attributes);
}

function histogramsOf({ metrics }: OpenTelemetryApi): Histograms {
  const provider = metrics.getMeterProvider();
  let histograms = byProvider.get(provider);
  if (histograms === undefined) {
    const meter = provider.getMeter(SCOPE);
    const create = (name: string, description: string) =>
      meter.createHistogram(name, {
        description,
        unit: 's',
        advice: { explicitBucketBoundaries: BOUNDARIES },
      });
    histograms = {
      [OPERATION]: create(OPERATION, 'Duration of an MCP request, measured on the server'),
      [SESSION]: create(SESSION, 'Duration of an MCP session, measured on the server'),
    };
    byProvider.set(provider, histograms);
  }
  return histograms;
}
