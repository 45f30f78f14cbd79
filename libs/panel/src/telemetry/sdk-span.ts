/** Seconds and nanoseconds. */
type HrTime = readonly [number, number];

/**
 * The fields of an OpenTelemetry SDK span (1.x or 2.x) that the panel reads. The SDK's own type is
 * not used, because our type declarations must not require an optional package.
 */
export interface SdkSpan {
  readonly name: string;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: { readonly code: number };
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Only in SDK 2.x. */
  readonly instrumentationScope?: { readonly name: string } | undefined;
  readonly parentSpanContext?: { readonly spanId: string } | undefined;
  /** Only in SDK 1.x. */
  readonly instrumentationLibrary?: { readonly name: string } | undefined;
  readonly parentSpanId?: string | undefined;
  spanContext(): { readonly spanId: string };
}

/** `SpanStatusCode.ERROR` of the OpenTelemetry API. */
const ERROR = 2;

/**
 * A finished span. Its attributes are left out, because they may contain secrets, such as the
 * parameters of a database query.
 */
export interface KeptSpan {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  /** Start time in milliseconds since 1970. */
  readonly start: number;
  readonly ms: number;
  readonly failed: boolean;
}

/** OpenTelemetry recommends short names, but the name may be a whole SQL statement. */
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

/** Returns true for the span that @fledge/mcp creates for a call. */
export function isCallSpan(span: SdkSpan): boolean {
  const { instrumentationScope: scope = span.instrumentationLibrary, attributes } = span;
  return scope?.name === '@fledge/mcp' && CALLS.has(attributes['mcp.method.name']);
}

function msOf([seconds, nanoseconds]: HrTime): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
