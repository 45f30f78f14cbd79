import type { JsonSchema } from '../decorators/tool.metadata.js';

/** What a tool publishes of its results. */
export interface ToolOutput {
  /** JSON Schema 2020-12 of `structuredContent`, of type object. */
  readonly schema: JsonSchema;
  /** Property the value stands under, where its own schema is not one of an object. */
  readonly property: 'result' | undefined;
}

/** Makes a schema publishable: until MCP 2025-11-25 structured content is an object, whatever the route answers. */
export function toolOutputOf(schema: JsonSchema): ToolOutput {
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
