import type { Context, Link } from '@opentelemetry/api';
import type { ResolvedMcpTelemetry } from '../options/observe-options.js';
import {
  methodOf,
  networkAttributesOf,
  revisionAttributesOf,
  spanAttributesOf,
} from './call-attributes.js';
import type { TracedCall } from './call-start.js';
import { recordSession, SCOPE } from './call-metrics.js';
import { CallSpan } from './call-span.js';
import { sessionKeyOf } from './session-key.js';
import { openTelemetry, type OpenTelemetryApi } from './open-telemetry.js';

type Meta = Readonly<Record<string, unknown>>;

/** Traces calls with OpenTelemetry. Does nothing until an SDK is registered. */
export class Telemetry {
  constructor(private readonly options: ResolvedMcpTelemetry) {}

  /** True if messages are traced. */
  get isOn(): boolean {
    return this.options.mode !== 'off' && openTelemetry() !== undefined;
  }

  /**
   * Starts the span of a call.
   * @param meta `params._meta`, whose trace context is the parent (SEP-414)
   */
  begin(call: TracedCall, meta: Meta): CallSpan | undefined {
    const otel = this.options.mode === 'off' ? undefined : openTelemetry();
    if (otel === undefined) return undefined;
    const { parent, links } = parentOf(otel, meta);
    if (this.options.mode === 'propagate') {
      return new CallSpan(otel, parent, undefined, call, this.options);
    }
    const span = otel.trace.getTracer(SCOPE).startSpan(
      methodOf(call),
      {
        kind: otel.SpanKind.SERVER,
        attributes: spanAttributesOf(call, call.sessionId && sessionKeyOf(call.sessionId)),
        links,
      },
      parent,
    );
    return new CallSpan(otel, otel.trace.setSpan(parent, span), span, call, this.options);
  }

  /** A session ended. */
  sessionEnded({ ms, revision, httpVersion, error }: EndedSession): void {
    const otel = this.options.mode === 'full' ? openTelemetry() : undefined;
    if (otel === undefined) return;
    recordSession(otel, ms / 1_000, {
      ...revisionAttributesOf(revision),
      ...networkAttributesOf({ transport: 'tcp', httpVersion }),
      ...(error !== undefined && { 'error.type': error }),
    });
  }
}

/** A session that ended. */
interface EndedSession {
  /** How long it was open. */
  readonly ms: number;
  readonly revision: string | undefined;
  readonly httpVersion: string | undefined;
  /** Undefined if the session ended without an error. */
  readonly error: string | undefined;
}

const FIELDS = ['traceparent', 'tracestate', 'baggage'];

/** The context of a call: that of the message, with a link to the HTTP span, or else that of the HTTP request. */
function parentOf(
  { context, propagation, trace, isSpanContextValid }: OpenTelemetryApi,
  meta: Meta,
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
