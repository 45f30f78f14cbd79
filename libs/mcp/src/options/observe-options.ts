import type { KnownOptions } from '@fledge/core/packages';
import { bad } from './bad-option.js';
import type {
  McpAdapterOptions,
  McpAuditOptions,
  McpTelemetryOptions,
  ResolvedMcpTelemetry,
} from '../mcp.options.js';

// The options that observe calls, checked and with their defaults.

export const TELEMETRY: KnownOptions<McpTelemetryOptions> = {
  mode: true,
  arguments: true,
  results: true,
};

export const AUDIT: KnownOptions<McpAuditOptions> = { onCall: true, await: true, arguments: true };

export function telemetryOf(given: McpAdapterOptions['telemetry'] = {}): ResolvedMcpTelemetry {
  const options = typeof given === 'string' ? { mode: given } : given;
  const { mode = 'full', arguments: args = false, results = false } = options;
  if (mode !== 'full' && mode !== 'propagate' && mode !== 'off') {
    throw bad('telemetry.mode', mode, "'full', 'propagate' or 'off'");
  }
  return { mode, arguments: args, results };
}

export function auditOf(audit: McpAuditOptions | undefined): Required<McpAuditOptions> | undefined {
  if (audit === undefined) return undefined;
  if (typeof audit.onCall !== 'function') throw bad('audit.onCall', undefined, 'a function');
  return {
    onCall: (record, ctx) => audit.onCall(record, ctx),
    await: audit.await ?? false,
    arguments: audit.arguments ?? true,
  };
}
