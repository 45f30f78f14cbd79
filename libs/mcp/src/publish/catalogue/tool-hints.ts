import type { McpToolAnnotations } from '../../mcp-tool.options.js';
import type { HttpMethod } from '../../mcp.definitions.js';

/** Hints of a tool. Directories require the first three. */
export interface ToolHints extends McpToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly openWorldHint: boolean;
}

/** Methods with which a repeated request has no further effect (RFC 9110 §9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'QUERY', 'PUT', 'DELETE']);

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'QUERY']);

/**
 * The hints of a tool: what its author says, else what follows from the HTTP method. A tool that is not read-only may
 * destroy data, as in MCP itself.
 */
export function toolHints(verb: HttpMethod, own: McpToolAnnotations = {}): ToolHints {
  const readOnlyHint = own.readOnlyHint ?? SAFE.has(verb);
  const idempotentHint = own.idempotentHint ?? (IDEMPOTENT.has(verb) || undefined);
  return {
    readOnlyHint,
    destructiveHint: own.destructiveHint ?? !readOnlyHint,
    ...(idempotentHint !== undefined && { idempotentHint }),
    openWorldHint: own.openWorldHint ?? false,
  };
}
