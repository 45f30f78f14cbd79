import { tenantLogFields } from './tenant-log-fields.js';

/** What the processor needs of OpenTelemetry's span. */
interface StartedSpan {
  setAttribute(key: string, value: string): unknown;
}

/**
 * A span processor of OpenTelemetry that gives each span the attribute `tenant.id` of whoever it is
 * started for. Add it to `spanProcessors` of the tracer provider.
 */
export class TenantSpanProcessor {
  onStart(span: StartedSpan): void {
    const { tenantId } = tenantLogFields();
    if (tenantId !== undefined) span.setAttribute('tenant.id', tenantId);
  }

  onEnd(): void {}

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
