import type { CallRecord } from '@fledge/core/packages';
import type { TracedCall } from './call-start.js';

export interface CallTracer {
  /** True while tracing is on. The value is read for each message. */
  readonly isOn: boolean;
  /**
   * Starts the trace of a request. Returns undefined if tracing is off. Runs in the async context
   * that the application's middleware opened.
   * @param meta `_meta` of the request. The `_meta` may contain the client's trace context
   */
  begin(call: TracedCall, meta: Readonly<Record<string, unknown>>): CallTrace | undefined;
  sessionEnded(session: EndedSession): void;
}

export interface EndedSession {
  /** Duration of the session in milliseconds. */
  readonly ms: number;
  readonly revision: string | undefined;
  /** HTTP version of the request that opened the session. */
  readonly httpVersion: string | undefined;
  /** Undefined if the session ended normally. */
  readonly error: string | undefined;
}

/** Facts about a finished call that the call record does not contain. */
export interface CallEnd {
  readonly record: CallRecord;
  /** JSON-RPC error code, or a string if the result has `isError`. */
  readonly code: number | string | undefined;
  /** True if the called tool, prompt or resource exists. */
  readonly isKnown: boolean;
  /** The result without secrets. Undefined if the result was not requested. */
  readonly result: unknown;
}

/** The types do not use OpenTelemetry, because that package is optional. */
export interface CallTrace {
  readonly wantsArguments: boolean;
  readonly wantsResult: boolean;
  /** Runs a function inside the call's span. */
  run(step: () => void): void;
  /** The trace headers are replaced, so the route's span is a child of the call's span. */
  headersOf(forwarded: readonly string[]): string[];
  end(end: CallEnd): void;
}
