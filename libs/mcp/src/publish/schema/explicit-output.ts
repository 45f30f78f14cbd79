import type { JsonSchema } from '../decorators/author-schema.js';
import { partialOutputOf } from './declared-output.js';
import type { PublishedOutput, ToolOutput } from './output-schema.js';

/** The output of a schema from `@McpTool`. Other schemas than of objects are wrapped in one. */
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

/** Wraps other schemas in an object schema, which MCP requires up to 2025-11-25. */
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
