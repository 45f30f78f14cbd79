import { spanAttributesOf } from '../tenant-attributes.js';
import { tenantLogFields } from './tenant-console-logger.js';

/** The methods of OpenTelemetry's span that are used here. */
interface StartedSpan {
  setAttribute(key: string, value: string): unknown;
}

/**
 * An OpenTelemetry span processor. When a span starts, the processor sets `tenant.id` to the
 * current tenant. During an impersonation, the processor also sets `tenant.impersonated_by` to the
 * support person. Add the processor to `spanProcessors` of the tracer provider.
 */
export class TenantSpanProcessor {
  onStart(span: StartedSpan): void {
    const attributes = spanAttributesOf(tenantLogFields());
    for (const [key, value] of Object.entries(attributes)) span.setAttribute(key, value);
  }

  onEnd(): void {}

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
