import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { HttpMethod } from '../../mcp.definitions.js';

/** Hints of a tool. Public directories of MCP servers require the first three hints. */
export interface ToolHints extends McpToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
}

/** HTTP methods for which repeating a request has no further effect (RFC 9110 §9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'QUERY', 'PUT', 'DELETE']);

/** HTTP methods that change nothing (RFC 9110 §9.2.1). */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'QUERY']);

/**
 * Returns the hints of a tool: the hints that its author set, or else hints derived from the HTTP
 * method. MCP assumes that a tool is destructive if it is not read-only. This function assumes the
 * same.
 */
export function toolHints(verb: HttpMethod, own: McpToolAnnotations = {}): ToolHints {
  const readOnlyHint = own.readOnlyHint ?? SAFE_METHODS.has(verb);
  const idempotentHint = own.idempotentHint ?? (IDEMPOTENT.has(verb) || undefined);
  return {
    readOnlyHint,
    destructiveHint: own.destructiveHint ?? !readOnlyHint,
    ...(idempotentHint !== undefined && { idempotentHint }),
    openWorldHint: own.openWorldHint ?? false,
  };
}
