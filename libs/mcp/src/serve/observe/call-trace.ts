import type { CallRecord } from '@fledge/core/packages';
import type { TracedCall } from './call-start.js';

/** Puts calls into traces. */
export interface CallTracer {
  /** True while calls are traced. Asked for each message. */
  readonly isOn: boolean;
  /**
   * Starts the trace of a request. Undefined while calls are not traced. It runs in the async context that the application's middleware opened.
   * @param meta its `_meta`, which may name the trace of the client
   */
  begin(call: TracedCall, meta: Readonly<Record<string, unknown>>): CallTrace | undefined;
  sessionEnded(session: EndedSession): void;
}

/** A session that ended. */
export interface EndedSession {
  /** How long it was open. */
  readonly ms: number;
  readonly revision: string | undefined;
  /** Of the request that opened it. */
  readonly httpVersion: string | undefined;
  /** Undefined if the session ended without an error. */
  readonly error: string | undefined;
}

/** What a call added to what its record has. */
export interface CallEnd {
  readonly record: CallRecord;
  /** JSON-RPC code, or a text for a result with `isError`. */
  readonly code: number | string | undefined;
  /** The call named a tool, prompt or resource that exists. */
  readonly isKnown: boolean;
  /** The result without secrets, if it was asked for. */
  readonly result: unknown;
}

/** A call in its trace. Names no type of OpenTelemetry: declarations must not need the optional package. */
export interface CallTrace {
  readonly wantsArguments: boolean;
  readonly wantsResult: boolean;
  /** Runs a function inside the span. */
  run(step: () => void): void;
  /** Headers of the route's request: those of the trace are replaced, so that the route is a child. */
  headersOf(forwarded: readonly string[]): string[];
  end(end: CallEnd): void;
}
