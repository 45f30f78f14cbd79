import {
  flag,
  group,
  oneOf,
  type OptionTable,
  type ReadOptions,
  rule,
} from '@fledge-internal/options';

/** Module option for OpenTelemetry. */
export interface TelemetryOption {
  /** OpenTelemetry mode, or options. @default 'full' */
  readonly telemetry?: McpTelemetryMode | McpTelemetryOptions;
}

/**
 * The mode of traces. `full`: each request has a span and a duration. The spans of the route are
 * children of this span. `propagate`: requests have no span. The route continues the trace in
 * `params._meta`. `off`: trace headers are forwarded like other headers.
 */
export type McpTelemetryMode = 'full' | 'propagate' | 'off';

/** Options for OpenTelemetry. They have no effect until the application registers an SDK. */
export interface McpTelemetryOptions {
  /** @default 'full' */
  readonly mode?: McpTelemetryMode;
  /** Records arguments in spans, without secrets. @default false */
  readonly arguments?: boolean;
  /** Records tool results in spans, without secrets. @default false */
  readonly results?: boolean;
}

const TELEMETRY = {
  mode: oneOf('full', 'propagate', 'off').default('full'),
  arguments: flag.default(false),
  results: flag.default(false),
} satisfies OptionTable<McpTelemetryOptions>;

export type ResolvedTelemetry = ReadOptions<typeof TELEMETRY>;

const telemetryGroup = group<McpTelemetryOptions, typeof TELEMETRY>(TELEMETRY);

export const TELEMETRY_OPTION = {
  telemetry: rule((given: McpTelemetryMode | McpTelemetryOptions | undefined, place) =>
    telemetryGroup.read(typeof given === 'string' ? { mode: given } : given, place),
  ),
} satisfies OptionTable<TelemetryOption>;
