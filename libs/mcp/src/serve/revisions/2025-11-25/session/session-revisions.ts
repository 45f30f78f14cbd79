import type { JsonObject } from '../../../protocol/json-rpc.js';

/** The latest protocol version that has sessions. */
export const NEWEST = '2025-11-25';

/** All protocol versions that have sessions. The latest comes first. */
export const SESSION_REVISIONS: readonly string[] = [
  NEWEST,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** Falls back to the latest version (MCP 2025-11-25, Lifecycle, version negotiation). */
export function negotiatedRevision(params: JsonObject | undefined): string {
  const wanted = params?.['protocolVersion'];
  return SESSION_REVISIONS.find((revision) => revision === wanted) ?? NEWEST;
}
