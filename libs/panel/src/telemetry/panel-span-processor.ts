import { type CallSpans, callSpans } from './call-spans.js';
import type { SdkSpan } from './sdk-span.js';

/**
 * A span processor for an OpenTelemetry SDK. With this processor, the panel shows the trace of each
 * call. A trace has the names and times of spans, but not their attributes. If the process has no
 * panel, no spans are kept.
 *
 * @example
 * ```ts
 * new NodeSDK({ spanProcessors: [new BatchSpanProcessor(exporter), new PanelSpanProcessor()] }).start();
 * ```
 */
export class PanelSpanProcessor {
  constructor() {
    callSpans.isFed = true;
  }

  onStart(span: SdkSpan): void {
    pass(span, 'started');
  }

  onEnd(span: SdkSpan): void {
    pass(span, 'finished');
  }

  forceFlush(): Promise<void> {
    return Promise.resolve();
  }

  shutdown(): Promise<void> {
    callSpans.isFed = false;
    return Promise.resolve();
  }
}

/** The SDK runs its processors inside the traced code, so this function must not throw. */
function pass(span: SdkSpan, event: keyof Pick<CallSpans, 'started' | 'finished'>): void {
  if (!callSpans.isFed) return;
  try {
    callSpans[event](span);
  } catch (error) {
    callSpans.isFed = false;
    process.emitWarning(
      `The panel stopped showing traces, because its span processor cannot read the spans of this SDK: ${String(error)}`,
    );
  }
}
