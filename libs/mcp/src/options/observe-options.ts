import type { RequestContext } from '@fledge/core';
import type { CallRecord } from '@fledge/core/packages';
import {
  callback,
  flag,
  group,
  oneOf,
  type OptionTable,
  type ReadOptions,
  readOptions,
  rule,
} from '@fledge-internal/options';

/** An audit trail of the calls of tools, prompts and resources. */
export interface McpAuditOptions {
  /**
   * Receives a record of each call when its answer is known, also of calls that were refused. What it throws
   * is logged and does not change the answer.
   * @param ctx the request context of the route, such as for the user that a guard found; undefined if the
   * route did not run
   */
  onCall(record: CallRecord, ctx: RequestContext | undefined): unknown;
  /**
   * The answer waits for the promise of `onCall`, at most `limits.timeoutMs`. Set it if a call must not be
   * answered before it is stored.
   * @default false
   */
  readonly await?: boolean;
  /** Records have the arguments, without secrets. @default true */
  readonly arguments?: boolean;
}

const AUDIT = {
  onCall: callback<McpAuditOptions['onCall']>().required,
  await: flag.default(false),
  arguments: flag.default(true),
} satisfies OptionTable<McpAuditOptions>;

export const audit = rule((given: McpAuditOptions | undefined, place) =>
  given === undefined
    ? undefined
    : { ...readOptions(given, AUDIT, place), onCall: given.onCall.bind(given) },
);

/**
 * How calls appear in traces. `full`: each request has a span and a duration, and the route's spans are its
 * children. `propagate`: no span; the route continues the trace in `params._meta`. `off`: trace headers are
 * forwarded like other headers.
 */
export type McpTelemetryMode = 'full' | 'propagate' | 'off';

/** OpenTelemetry. Has no effect until the application registers an SDK. */
export interface McpTelemetryOptions {
  /** @default 'full' */
  readonly mode?: McpTelemetryMode;
  /** Spans have the arguments, without secrets. @default false */
  readonly arguments?: boolean;
  /** Spans have the results of tools, without secrets. @default false */
  readonly results?: boolean;
}

const TELEMETRY = {
  mode: oneOf('full', 'propagate', 'off').default('full'),
  arguments: flag.default(false),
  results: flag.default(false),
} satisfies OptionTable<McpTelemetryOptions>;

export type ResolvedMcpTelemetry = ReadOptions<typeof TELEMETRY>;

const telemetryGroup = group<McpTelemetryOptions, typeof TELEMETRY>(TELEMETRY);

/** A mode, or options. */
export const telemetry = rule((given: McpTelemetryMode | McpTelemetryOptions | undefined, place) =>
  telemetryGroup.read(typeof given === 'string' ? { mode: given } : given, place),
);
