import type { Context, Link } from '@opentelemetry/api';
import type { TracedCall } from '../../serve/observe/call-start.js';
import type { CallTracer, EndedSession } from '../../serve/observe/call-trace.js';
import { sessionKeyOf } from '../../serve/observe/session-key.js';
import type { McpExtension } from '../../serve/methods/extension.js';
import {
  knownMethod,
  networkAttributes,
  revisionAttributes,
  spanAttributes,
} from './call-attributes.js';
import { openTelemetry, type OpenTelemetryApi, recordSession, SCOPE } from './call-metrics.js';
import { CallSpan } from './call-span.js';
import {
  type ResolvedTelemetry,
  TELEMETRY_OPTION,
  type TelemetryOption,
} from './telemetry-options.js';

/** Records spans and durations of calls and sessions. */
export const telemetry: McpExtension<TelemetryOption['telemetry'], ResolvedTelemetry> = {
  name: 'telemetry',
  option: TELEMETRY_OPTION.telemetry,
  scope: 'module',
  create: (options) =>
    Promise.resolve(options.mode === 'off' ? undefined : { tracer: new Tracer(options) }),
};

/** Traces calls with OpenTelemetry. Does nothing until an SDK is registered. */
class Tracer implements CallTracer {
  constructor(private readonly options: ResolvedTelemetry) {}

  get isOn(): boolean {
    return openTelemetry() !== undefined;
  }

  /** Starts a span. The parent of the span is the trace context in `_meta` (SEP-414). */
  begin(call: TracedCall, meta: Readonly<Record<string, unknown>>): CallSpan | undefined {
    const otel = openTelemetry();
    if (otel === undefined) return undefined;
    const { parent, links } = parentOf(otel, meta);
    if (this.options.mode === 'propagate') {
      return new CallSpan(otel, parent, undefined, call, this.options);
    }
    const span = otel.trace.getTracer(SCOPE).startSpan(
      knownMethod(call),
      {
        kind: otel.SpanKind.SERVER,
        attributes: spanAttributes(call, call.sessionId && sessionKeyOf(call.sessionId)),
        links,
      },
      parent,
    );
    return new CallSpan(otel, otel.trace.setSpan(parent, span), span, call, this.options);
  }

  sessionEnded({ ms, revision, httpVersion, error }: EndedSession): void {
    const otel = this.options.mode === 'full' ? openTelemetry() : undefined;
    if (otel === undefined) return;
    recordSession(otel, ms / 1_000, {
      ...revisionAttributes(revision),
      ...networkAttributes({ transport: 'tcp', httpVersion }),
      ...(error !== undefined && { 'error.type': error }),
    });
  }
}

const FIELDS = ['traceparent', 'tracestate', 'baggage'];

/**
 * Returns the parent context of a call. If the message contains a trace context, returns that
 * context, with a link to the HTTP span. Otherwise returns the context of the HTTP request.
 */
function parentOf(
  { context, propagation, trace, isSpanContextValid }: OpenTelemetryApi,
  meta: Readonly<Record<string, unknown>>,
): { readonly parent: Context; readonly links: Link[] } {
  const ambient = context.active();
  const carrier = Object.fromEntries(
    FIELDS.filter((field) => typeof meta[field] === 'string').map((field) => [field, meta[field]]),
  );
  const sent = propagation.extract(trace.deleteSpan(ambient), carrier);
  const remote = trace.getSpanContext(sent);
  const around = trace.getSpan(ambient);
  if (remote === undefined || !isSpanContextValid(remote)) {
    return { parent: around ? trace.setSpan(sent, around) : sent, links: [] };
  }
  return { parent: sent, links: around ? [{ context: around.spanContext() }] : [] };
}
