import type { JsonSchema } from '../decorators/author-schema.js';
import { partialOutputOf } from './declared-output.js';
import type { PublishedOutput, ToolOutput } from './output-schema.js';

/**
 * Returns the output for a schema from `@McpTool`. Schemas that do not describe objects are wrapped
 * in an object.
 */
export function explicitOutputOf(schema: JsonSchema): ToolOutput {
  const output = inObject(schema);
  return {
    source: 'explicit',
    object: output,
    json: output,
    sent: output.schema,
    partial: () => partialOutputOf(schema),
  };
}

/** Wraps a schema in an object schema. MCP requires an object schema up to 2025-11-25. */
function inObject(schema: JsonSchema): PublishedOutput {
  if (schema['type'] === 'object') return { schema, property: undefined };
  const { $schema, $defs, ...value } = schema;
  return {
    schema: {
      ...($schema !== undefined && { $schema }),
      type: 'object',
      properties: { result: value },
      required: ['result'],
      ...($defs !== undefined && { $defs }),
    },
    property: 'result',
  };
}
