import type { CallRecord } from '@fledge/core/packages';

/** The record of a successful tool call. */
export function callRecord(changes: Partial<CallRecord>): CallRecord {
  return {
    id: 'uuid',
    at: new Date(),
    method: 'tools/call',
    kind: 'tool',
    name: 'find',
    client: undefined,
    revision: undefined,
    session: undefined,
    principal: undefined,
    endpoint: '/_mcp/messages',
    tenant: undefined,
    arguments: undefined,
    outcome: 'ok',
    status: 200,
    error: undefined,
    durationMs: 1,
    requestBytes: 1,
    resultBytes: 1,
    ...changes,
  };
}
