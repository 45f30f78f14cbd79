import { CallTrace } from './call-trace.js';
import { isCallSpan, keptSpan, parentOf, type SdkSpan } from './sdk-span.js';

/**
 * Maximum number of traces with open spans. Because of this limit, traces whose spans never end are
 * removed.
 */
const MOST_TRACES = 500;

/**
 * Assigns spans to their calls. There is one instance in the process, because the OpenTelemetry SDK
 * starts before the application.
 */
export class CallSpans {
  /** True if an OpenTelemetry SDK uses the panel's span processor. */
  isFed = false;
  /** The panels that read traces. Without a panel, no span is kept. */
  private readonly readers = new Set<symbol>();
  /** The trace of each span, by span id. A new span is added to the trace of its parent. */
  private readonly bySpan = new Map<string, CallTrace>();
  private readonly running = new Set<CallTrace>();
  private ended: CallTrace | undefined;

  /** @returns a function that stops reading */
  read(): () => void {
    const reader = Symbol('panel');
    this.readers.add(reader);
    return () => {
      this.readers.delete(reader);
      if (this.readers.size === 0) for (const trace of this.running) this.forget(trace);
    };
  }

  started(span: SdkSpan): void {
    if (this.readers.size === 0) return;
    const trace = isCallSpan(span) ? this.begun(span) : this.traceAbove(span);
    const { spanId } = span.spanContext();
    if (trace?.begin(spanId)) this.bySpan.set(spanId, trace);
  }

  finished(span: SdkSpan): void {
    const kept = keptSpan(span);
    const trace = this.bySpan.get(kept.id);
    if (trace === undefined) return;
    trace.end(kept);
    if (trace.root === kept.id) this.offer(trace);
    if (trace.isComplete) this.forget(trace);
  }

  /**
   * Returns the trace of the call that has just ended. @fledge/mcp publishes the record of a call
   * directly after the call's span ends.
   */
  takeEnded(): CallTrace | undefined {
    const trace = this.ended;
    this.ended = undefined;
    return trace;
  }

  private begun(span: SdkSpan): CallTrace {
    for (const oldest of this.running) {
      if (this.running.size < MOST_TRACES) break;
      this.forget(oldest);
    }
    const trace = new CallTrace(span.spanContext().spanId);
    this.running.add(trace);
    return trace;
  }

  private traceAbove(span: SdkSpan): CallTrace | undefined {
    const parent = parentOf(span);
    return parent === undefined ? undefined : this.bySpan.get(parent);
  }

  /**
   * Makes the trace available to the next call record in the same microtask turn. Later records
   * must not receive this trace.
   */
  private offer(trace: CallTrace): void {
    this.ended = trace;
    queueMicrotask(() => {
      if (this.ended === trace) this.ended = undefined;
    });
  }

  private forget(trace: CallTrace): void {
    this.running.delete(trace);
    for (const id of trace.ids) this.bySpan.delete(id);
    trace.close();
  }
}

export const callSpans = new CallSpans();
