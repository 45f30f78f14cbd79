import type { McpToolAnnotations } from '../decorators/tool.metadata.js';
import type { HttpMethod } from '../mcp.definitions.js';

/** Hints that follow from the semantics of the verb (RFC 9110 §9.2). */
const BY_VERB: Readonly<Record<HttpMethod, McpToolAnnotations>> = {
  GET: { readOnlyHint: true, idempotentHint: true },
  POST: {},
  PUT: { idempotentHint: true },
  PATCH: {},
  DELETE: { destructiveHint: true, idempotentHint: true },
};

/** The hints of a verb, each overridable by the decorator. */
export function annotationsOf(
  verb: HttpMethod,
  overrides: McpToolAnnotations | undefined,
): McpToolAnnotations {
  return { ...BY_VERB[verb], ...overrides };
}
