import type { CallRecord } from '@fledge/core/packages';
import type { TracedCall } from './call-start.js';

/** Adds calls to traces. */
export interface CallTracer {
  /** True while calls are traced. Read for each message. */
  readonly isOn: boolean;
  /**
   * Starts the trace of a request. Returns undefined while calls are not traced. Runs in the async
   * context that the application's middleware opened.
   * @param meta `_meta` of the request, which may contain the trace context of the client
   */
  begin(call: TracedCall, meta: Readonly<Record<string, unknown>>): CallTrace | undefined;
  sessionEnded(session: EndedSession): void;
}

/** A session that ended. */
export interface EndedSession {
  /** Duration of the session in milliseconds. */
  readonly ms: number;
  readonly revision: string | undefined;
  /** HTTP version of the request that opened the session. */
  readonly httpVersion: string | undefined;
  /** Undefined if the session ended without an error. */
  readonly error: string | undefined;
}

/** Trace information about a call that its record does not contain. */
export interface CallEnd {
  readonly record: CallRecord;
  /** JSON-RPC code, or a string for a result with `isError`. */
  readonly code: number | string | undefined;
  /** True if the call named an existing tool, prompt or resource. */
  readonly isKnown: boolean;
  /** The result without secrets, if requested. */
  readonly result: unknown;
}

/**
 * The trace of a call. Uses no OpenTelemetry types, because type declarations must not require the
 * optional package.
 */
export interface CallTrace {
  readonly wantsArguments: boolean;
  readonly wantsResult: boolean;
  /** Runs a function inside the span. */
  run(step: () => void): void;
  /**
   * Returns the headers of the route's request. Trace headers are replaced, so the route's span
   * becomes a child.
   */
  headersOf(forwarded: readonly string[]): string[];
  end(end: CallEnd): void;
}
