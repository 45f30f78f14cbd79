import type { CallRecord } from '@fledge/core/packages';
import type { Attributes } from '@opentelemetry/api';
import type { CallNetwork, TracedCall } from '../../serve/observe/call-start.js';

// Attributes of spans. Names and rules follow the OpenTelemetry semantic conventions for generative
// AI, docs/gen-ai/mcp.md.

/**
 * Methods that MCP defines. Other methods are recorded as `_OTHER`, because clients could send any
 * number of different names.
 */
const METHODS = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

const REVISIONS = new Set([
  '2024-10-07',
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
]);

/** JSON-RPC errors caused by the client. They are not counted as server errors. */
const CLIENT_FAULTS = new Set<unknown>([-32700, -32600, -32601, -32602, -32002]);

/** The value of `error.type` if the client cancelled the call or disconnected. */
export const CANCELLED = 'cancelled';

export function knownMethod({ method }: TracedCall): string {
  return method !== undefined && METHODS.has(method) ? method : '_OTHER';
}

/** Attributes of the span. */
export function spanAttributes(call: TracedCall, sessionKey: string | undefined): Attributes {
  const { method, kind, name, via, requestId, revision, principal, network } = call;
  return {
    'mcp.method.name': method,
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(kind === 'tool' && { 'gen_ai.tool.name': name }),
    // The semantic conventions define no attribute for the runner of a call.
    ...(via !== undefined && { 'fledge.mcp.via': via }),
    ...(kind === 'prompt' && { 'gen_ai.prompt.name': name }),
    ...(kind === 'resource' && { 'mcp.resource.uri': name }),
    ...(requestId !== undefined && { 'jsonrpc.request.id': String(requestId) }),
    ...(revision !== undefined && { 'mcp.protocol.version': revision }),
    // A digest is used, because without authentication the session id alone grants access to a
    // session.
    ...(sessionKey !== undefined && { 'mcp.session.id': sessionKey }),
    ...(principal !== undefined && { 'enduser.id': principal.id }),
    ...networkAttributes(network),
    ...(network.address !== undefined && { 'client.address': network.address }),
    ...(network.port !== undefined && { 'client.port': network.port }),
  };
}

/**
 * Returns the attributes of the histogram. The attributes contain no ids or addresses, because each
 * new value creates a time series.
 * @param isKnown true if the called tool or prompt exists
 */
export function metricAttributes(call: TracedCall, isKnown: boolean): Attributes {
  const { method, kind, name, revision, network } = call;
  return {
    'mcp.method.name': knownMethod(call),
    ...(method === 'tools/call' && { 'gen_ai.operation.name': 'execute_tool' }),
    ...(isKnown && kind === 'tool' && { 'gen_ai.tool.name': name }),
    ...(isKnown && kind === 'prompt' && { 'gen_ai.prompt.name': name }),
    ...revisionAttributes(revision),
    ...networkAttributes(network),
  };
}

export function revisionAttributes(revision: string | undefined): Attributes {
  return revision !== undefined && REVISIONS.has(revision)
    ? { 'mcp.protocol.version': revision }
    : {};
}

export function networkAttributes({ transport, httpVersion }: CallNetwork): Attributes {
  return {
    'network.transport': transport,
    ...(httpVersion !== undefined && {
      'network.protocol.name': 'http',
      'network.protocol.version': httpVersion.replace(/\.0$/, ''),
    }),
  };
}

/**
 * Returns the attributes of a failed or cancelled call. Clients end other requests, such as
 * `subscriptions/listen`, by disconnecting, so these are not cancelled.
 * @param code JSON-RPC code of the response, or a string if the result has `isError`
 */
export function errorAttributes(
  { kind, outcome }: Pick<CallRecord, 'kind' | 'outcome'>,
  code: number | string | undefined,
): Attributes {
  if (outcome === 'cancelled' && kind !== undefined) return { 'error.type': CANCELLED };
  if (code === undefined) return {};
  if (typeof code === 'string') return { 'error.type': 'tool_error' };
  const status = { 'rpc.response.status_code': String(code) };
  return CLIENT_FAULTS.has(code) ? status : { ...status, 'error.type': String(code) };
}

/** Returns the attributes of the tenant that the route resolved. */
export function tenantAttributes({ tenant }: CallRecord): Attributes {
  if (tenant === undefined) return {};
  return {
    'tenant.id': tenant.id,
    ...(tenant.source !== undefined && { 'tenant.source': tenant.source }),
  };
}
