import type { CallRecord } from '@fledge/core/packages';

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
