import type { JsonSchema } from '../decorators/author-schema.js';
import { McpOptionError } from '../../mcp.errors.js';
import { objectOf } from '../schema/json-schema.js';
import type { ToolDraft } from './extension.js';

/** The option that adds arguments, for messages. */
interface AddedBy {
  /** Such as `@McpTool({ select })`. */
  readonly option: string;
  /** What to do if the route has an argument of the same name, as a sentence. */
  readonly cure: string;
}

/**
 * The schema of a tool's arguments with further ones, which do not reach the route.
 * @throws McpOptionError if the route has an argument of the same name
 */
export function withArguments(
  { inputSchema, route }: Pick<ToolDraft, 'inputSchema' | 'route'>,
  added: Readonly<Record<string, JsonSchema>>,
  { option, cure }: AddedBy,
): JsonSchema {
  const properties = objectOf(inputSchema['properties']);
  const taken = Object.keys(added).find((name) => Object.hasOwn(properties, name));
  if (taken !== undefined) {
    throw new McpOptionError(
      `${option} on ${route.label} adds the argument "${taken}", which the route has. ${cure}`,
    );
  }
  return Object.freeze({ ...inputSchema, properties: Object.freeze({ ...properties, ...added }) });
}
