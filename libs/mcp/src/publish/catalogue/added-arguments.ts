import { objectOf } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { McpOptionError } from '../../mcp.errors.js';
import { without } from '../schema/json-schema.js';
import type { OperationInput } from '../schema/operation-input.js';
import type { ToolDraft } from './publishing-extension.js';

/** The option that adds arguments. Error messages name it. */
interface AddedBy {
  /** Name of the option, such as `@McpTool({ select })`. */
  readonly option: string;
  /** A sentence that says how to fix a name conflict with an argument of the route. */
  readonly cure: string;
}

/**
 * Adds arguments to the schema of a tool. The route does not receive them.
 * @throws McpOptionError if the route already has an argument with this name
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
      `${option} on ${route.label} adds the argument "${taken}", but the route already has that argument. ${cure}`,
    );
  }
  return Object.freeze({ ...inputSchema, properties: Object.freeze({ ...properties, ...added }) });
}

/** Returns the schema of the arguments that a tool accepts, including those that extensions added. */
export function acceptedArguments(
  { schema, accepted = schema }: Pick<OperationInput, 'schema' | 'accepted'>,
  { inputSchema }: Pick<ToolDraft, 'inputSchema'>,
): JsonSchema {
  const own = Object.keys(objectOf(schema['properties']));
  const added = without(objectOf(inputSchema['properties']), ...own);
  return { ...accepted, properties: { ...objectOf(accepted['properties']), ...added } };
}
