import { mapAttributes } from '../tenant-attributes.js';
import { tenantLogFields } from './tenant-console-logger.js';

/** The part of OpenTelemetry's span that the processor uses. */
interface StartedSpan {
  setAttribute(key: string, value: string): unknown;
}

/**
 * An OpenTelemetry span processor that sets the attribute `tenant.id` to the current tenant when a span
 * starts, and `tenant.impersonated_by` to the support person who acts in it. Add it to `spanProcessors` of the tracer provider.
 */
export class TenantSpanProcessor {
  onStart(span: StartedSpan): void {
    const { tenantId, ...attributes } = tenantLogFields();
    if (tenantId !== undefined) span.setAttribute('tenant.id', tenantId);
    mapAttributes(attributes, ({ spanKey }, value) => span.setAttribute(spanKey, value));
  }

  onEnd(): void {}

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    return Promise.resolve();
  }
}
