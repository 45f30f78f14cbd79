import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../mcp.errors.js';
import { frozenCopy, isRecord, without } from './json-schema.js';
import { convertedSchema } from './sources/standard-json-schema.js';

/**
 * The published schema of a tool's results: what a Standard Schema gives out, or a JSON Schema as it
 * stands. Parts that cannot be expressed take any value, for an output schema is documentation.
 *
 * @throws {ToolSchemaError} it cannot be converted, or is no JSON Schema object
 */
export function outputSchemaOf(schema: StandardSchema | JsonSchema, place: string): JsonSchema {
  const site = `outputSchema of ${place}`;
  if (isStandardSchema(schema)) {
    const converted = convertedSchema(schema, 'output', site, () => undefined);
    return frozenCopy(without(converted, '$schema'));
  }
  if (!isRecord(schema)) {
    throw new ToolSchemaError(site, 'a JSON Schema is an object. Give one, or a Standard Schema.');
  }
  return frozenCopy(schema);
}

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
