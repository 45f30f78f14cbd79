import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';

/**
 * Registers the real OpenTelemetry SDK for the tests of a file. Returns an exporter with the spans
 * that ended during the current test.
 */
export function recordSpans(): InMemorySpanExporter {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  beforeAll(() => provider.register());
  // Resets before each test, because the application of the previous test may still end spans while
  // it closes.
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    for (const api of [trace, context, propagation]) api.disable();
  });
  return exporter;
}
