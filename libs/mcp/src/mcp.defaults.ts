import {
  type ResolvedMcpAuth,
  authOf,
  basePathOf,
  checkedOrigin,
  forwardable,
  HTTP_METHODS,
  positive,
  refuseBadChoices,
  refuseUnknownMcpOptions,
  stateSecretOf,
} from './option-checks.js';
import { auditOf, telemetryOf } from './observe-options.js';
import type { HttpMethod } from './mcp.definitions.js';
import type {
  McpAdapterOptions,
  McpAuditOptions,
  McpExposureMode,
  McpLimitOptions,
  ResolvedMcpTelemetry,
} from './mcp.options.js';
import { usesStdio } from './uses-stdio.js';

/** Injection token of `ResolvedMcpOptions`. */
export const MCP_OPTIONS = Symbol('MCP_OPTIONS');

/** The options after every default is applied. Later stages read these, not the raw options. */
export interface ResolvedMcpOptions {
  readonly name: string;
  readonly version: string;
  readonly description: string | undefined;
  readonly mode: McpExposureMode;
  readonly transport: 'http' | 'stdio';
  /** Path of the endpoint, by default `/_mcp/messages`. */
  readonly endpoint: string;
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
  readonly warnUndescribed: boolean;
  readonly auth: ResolvedMcpAuth | undefined;
  readonly sessions: {
    readonly max: number;
    readonly reclaimAfterMs: number;
    readonly idleTimeoutMs: number | undefined;
  };
  /** Names in lower case. */
  readonly forwardHeaders: readonly string[];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
  readonly limits: Required<McpLimitOptions>;
  readonly visible: McpAdapterOptions['visible'];
  readonly stateSecret: string | undefined;
  readonly audit: Required<McpAuditOptions> | undefined;
  readonly telemetry: ResolvedMcpTelemetry;
}

const FORWARDED_BY_DEFAULT = [
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
];

/**
 * Checks the options and applies every default. Called once, at boot.
 * @throws McpOptionError for an unknown option or an invalid value
 */
export function resolveMcpOptions(options: McpAdapterOptions): ResolvedMcpOptions {
  refuseUnknownMcpOptions(options);
  refuseBadChoices(options);
  const { sessions, limits } = options;

  return {
    name: options.name,
    version: options.version ?? '0.0.0',
    description: options.description,
    mode: options.mode ?? 'explicit',
    transport: usesStdio(options.transport) ? 'stdio' : 'http',
    endpoint: `${basePathOf(options.basePath ?? '/_mcp')}/messages`,
    include: options.include ?? HTTP_METHODS,
    exclude: options.exclude ?? [],
    warnUndescribed: options.warnUndescribed ?? false,
    auth: authOf(options.auth),
    sessions: {
      max: positive('sessions.max', sessions?.max ?? 1),
      reclaimAfterMs: positive('sessions.reclaimAfterMs', sessions?.reclaimAfterMs ?? 60_000),
      idleTimeoutMs:
        sessions?.idleTimeoutMs === undefined
          ? undefined
          : positive('sessions.idleTimeoutMs', sessions.idleTimeoutMs),
    },
    forwardHeaders: (options.forwardHeaders ?? FORWARDED_BY_DEFAULT).map(forwardable),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(checkedOrigin)),
    allowedHosts: options.allowedHosts && new Set(options.allowedHosts.map((h) => h.toLowerCase())),
    limits: {
      requestBytes: positive('limits.requestBytes', limits?.requestBytes ?? 4_194_304),
      responseBytes: positive('limits.responseBytes', limits?.responseBytes ?? 1_048_576),
      timeoutMs: positive('limits.timeoutMs', limits?.timeoutMs ?? 30_000),
      listItems: positive('limits.listItems', limits?.listItems ?? Number.MAX_SAFE_INTEGER),
    },
    visible: options.visible?.bind(options),
    stateSecret: stateSecretOf(options.stateSecret),
    audit: auditOf(options.audit),
    telemetry: telemetryOf(options.telemetry),
  };
}
