/** Seconds and nanoseconds. */
type HrTime = readonly [number, number];

/**
 * What is read of a span of an OpenTelemetry SDK, 1.x or 2.x. Not the type of the SDK: declarations must not need
 * an optional package.
 */
export interface SdkSpan {
  readonly name: string;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** SDK 2.x */
  readonly instrumentationScope?: { readonly name: string } | undefined;
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  /** SDK 1.x */
  readonly instrumentationLibrary?: { readonly name: string } | undefined;
  readonly parentSpanId?: string | undefined;
  spanContext(): { readonly spanId: string };
}

/** `SpanStatusCode.ERROR` of the API. */
const ERROR = 2;

/** A finished span without its attributes, which may hold secrets such as parameters of a query. */
export interface KeptSpan {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly ms: number;
  readonly failed: boolean;
}

/** Names are short by the rules of OpenTelemetry; some instrumentations put whole statements there. */
const LONGEST_NAME = 120;

export function keptSpan(span: SdkSpan): KeptSpan {
  const start = msOf(span.startTime);
  return {
    id: span.spanContext().spanId,
    parent: parentOf(span),
    name: span.name.length > LONGEST_NAME ? `${span.name.slice(0, LONGEST_NAME)}…` : span.name,
    start,
    ms: msOf(span.endTime) - start,
    failed: span.status.code === ERROR,
  };
}

export function parentOf({ parentSpanContext, parentSpanId }: SdkSpan): string | undefined {
  return parentSpanContext?.spanId ?? parentSpanId;
}

const CALLS = new Set<unknown>(['tools/call', 'prompts/get', 'resources/read']);

/** Whether a span is the one that @fledge/mcp makes for a call. */
export function isCallSpan(span: SdkSpan): boolean {
  const { instrumentationScope: scope = span.instrumentationLibrary, attributes } = span;
  return scope?.name === '@fledge/mcp' && CALLS.has(attributes['mcp.method.name']);
}

function msOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
