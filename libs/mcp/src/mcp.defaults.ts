import {
  endpointsOf,
  type ResolvedEndpoint,
  stdioEndpointOf,
} from './options/endpoint-defaults.js';
import { refuseUnknownMcpOptions } from './options/known-options.js';
import {
  checkedOrigin,
  forwardable,
  methodsOf,
  refuseBadChoices,
  stateSecretOf,
} from './options/option-checks.js';
import { positive } from './options/bad-option.js';
import { auditOf, telemetryOf } from './options/observe-options.js';
import type { HttpMethod } from './mcp.definitions.js';
import type {
  McpAdapterOptions,
  McpAuditOptions,
  McpExposureMode,
  McpLimitOptions,
  McpOutputSchemas,
  ResolvedMcpTelemetry,
} from './mcp.options.js';
import { type McpPageFile, pagesOf } from './options/page-options.js';
import { type ResolvedMcpResult, resultOf } from './options/result-options.js';
import { type ResolvedMcpTasks, tasksOf } from './options/task-options.js';
import type { McpToolSource } from './tool-source.js';
import { usesStdio } from './uses-stdio.js';

/** Injection token of `ResolvedMcpOptions`. */
export const MCP_OPTIONS = Symbol('MCP_OPTIONS');

/** The options after every default is applied. Later stages read these, not the raw options. */
export interface ResolvedMcpOptions extends SharedMcpOptions {
  /** At least one. Over stdio: the one that is served. */
  readonly endpoints: readonly EndpointOptions[];
}

/** The options of one endpoint: its own, and those that hold for all. */
export interface EndpointOptions extends SharedMcpOptions, ResolvedEndpoint {}

/** The options that hold for all endpoints. */
export interface SharedMcpOptions {
  readonly mode: McpExposureMode;
  readonly transport: 'http' | 'stdio';
  readonly include: readonly HttpMethod[];
  readonly exclude: readonly string[];
  readonly warnUndescribed: boolean;
  readonly outputSchemas: McpOutputSchemas;
  /** Names in lower case. */
  readonly forwardHeaders: readonly string[];
  readonly allowedOrigins: ReadonlySet<string>;
  readonly allowedHosts: ReadonlySet<string> | undefined;
  readonly limits: Required<McpLimitOptions>;
  readonly result: ResolvedMcpResult;
  readonly visible: McpAdapterOptions['visible'];
  readonly stateSecret: string | undefined;
  readonly audit: Required<McpAuditOptions> | undefined;
  readonly toolSources: readonly McpToolSource[];
  readonly pages: readonly McpPageFile[];
  readonly tasks: ResolvedMcpTasks;
  readonly telemetry: ResolvedMcpTelemetry;
}

const RESPONSE_BYTES = 1_048_576;

const FORWARDED_BY_DEFAULT = [
  'authorization',
  'mcp-session-id',
  'accept-language',
  'traceparent',
  'tracestate',
  'baggage',
];

/** Adds headers to the default list, which they would otherwise replace: routes would miss the token. */
function forwardedHeaders(given: readonly string[] = FORWARDED_BY_DEFAULT): readonly string[] {
  if (given.length === 0) return [];
  return [...new Set([...FORWARDED_BY_DEFAULT, ...given.map(forwardable)])];
}

/**
 * Checks the options and applies every default. Called once, at boot.
 * @throws McpOptionError for an unknown option or an invalid value
 */
export function resolveMcpOptions(options: McpAdapterOptions): ResolvedMcpOptions {
  refuseUnknownMcpOptions(options);
  refuseBadChoices(options);
  const { limits } = options;
  const transport = usesStdio(options.transport) ? 'stdio' : 'http';
  const endpoints = endpointsOf(options);
  const served = transport === 'stdio' ? [stdioEndpointOf(endpoints)] : endpoints;

  const shared: SharedMcpOptions = {
    mode: options.mode ?? 'explicit',
    transport,
    include: methodsOf('include', options.include),
    exclude: options.exclude ?? [],
    warnUndescribed: options.warnUndescribed ?? false,
    outputSchemas: options.outputSchemas ?? 'explicit',
    forwardHeaders: forwardedHeaders(options.forwardHeaders),
    allowedOrigins: new Set((options.allowedOrigins ?? []).map(checkedOrigin)),
    allowedHosts: options.allowedHosts && new Set(options.allowedHosts.map((h) => h.toLowerCase())),
    limits: {
      requestBytes: positive('limits.requestBytes', limits?.requestBytes ?? 4_194_304),
      responseBytes: positive('limits.responseBytes', limits?.responseBytes ?? RESPONSE_BYTES),
      timeoutMs: positive('limits.timeoutMs', limits?.timeoutMs ?? 30_000),
      listItems: positive('limits.listItems', limits?.listItems ?? Number.MAX_SAFE_INTEGER),
    },
    result: resultOf(options.result, limits?.responseBytes ?? RESPONSE_BYTES),
    visible: options.visible?.bind(options),
    stateSecret: stateSecretOf(options.stateSecret),
    audit: auditOf(options.audit),
    toolSources: options.toolSources ?? [],
    pages: pagesOf(options.pages),
    tasks: tasksOf(options.tasks),
    telemetry: telemetryOf(options.telemetry),
  };
  return {
    ...shared,
    endpoints: served.map((endpoint) => ({ ...shared, ...endpoint })),
  };
}
