import type { CallRecord, PanelCall } from '@fledge/core/packages';
import { cutText, cutValue } from './cut-value.js';

/**
 * Converts a call record to the format of the panel. The arguments in a record contain no secrets.
 * The result does not contain the session.
 * @param user short name of the user
 */
export function panelCallOf(record: CallRecord, user: string | undefined): Omit<PanelCall, 'id'> {
  const { at, name, method, kind, outcome, status, durationMs, client, tenant, error } = record;
  return {
    at: at.toISOString(),
    tool: cutText(name ?? method ?? 'unknown'),
    kind: kind ?? 'tool',
    outcome,
    ms: Math.round(durationMs * 10) / 10,
    ...defined({ status, revision: record.revision, user }),
    ...(client && { client: cutText(`${client.name} ${client.version}`, 200) }),
    ...(tenant && { tenant: tenant.id, ...defined({ tenantSource: tenant.source }) }),
    ...(error && { error: { text: error.text, ...cureOf(record) } }),
    ...(record.arguments !== undefined && { arguments: cutValue(record.arguments) }),
    resultBytes: record.resultBytes,
  };
}

function cureOf({ outcome, status, error }: CallRecord): { readonly cure?: string } {
  const cure =
    CURES[String(error?.code)] ?? (outcome === 'refused' ? REFUSED : CURES[String(status)]);
  return cure === undefined ? {} : { cure };
}

const REFUSED =
  'The route did not run. If the arguments did not match the schema, describe the parameters: agents guess ' +
  'names and formats that are not described.';

/** Advice for fixing an error, by error code or status. */
const CURES: Readonly<Record<string, string>> = {
  timeout:
    'The call took longer than limits.timeoutMs. Raise the limit for this tool: @McpTool({ timeoutMs }).',
  TENANT_NOT_RESOLVED:
    'The request contains no tenant. Send the value that the tenant strategy reads, such as a header.',
  TENANT_UNKNOWN:
    'The tenant store has no such tenant. The view "Tenants" shows which identifier was read.',
  TENANT_MISMATCH:
    'The user does not belong to the tenant of the request. Send the request without a tenant, or sign in as a user of that tenant.',
  401: 'The caller is not authenticated. Send a token. The panel sends the headers that you set in "Send as".',
  403: 'The caller is not allowed to do this. Call the tool as a user with permission.',
  404: 'The handler found nothing for these arguments. An agent may need to look up ids with a list tool first.',
  429: 'The caller sent too many requests. Wait, or raise the rate limit.',
  500: 'The handler failed. Read the error in the log of the application.',
};

/** Returns the properties that are not undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
