import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../mcp.errors.js';
import { frozenCopy, isRecord, without } from './json-schema.js';
import { convertedSchema } from './sources/standard-json-schema.js';

/**
 * The published schema of a tool's results: the output of a Standard Schema, or a JSON Schema
 * unchanged. Parts that cannot be converted accept any value, because an output schema is only
 * documentation.
 *
 * @throws {ToolSchemaError} if the schema cannot be converted, or is not a JSON Schema object
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

/** The published output of a tool. */
export interface ToolOutput {
  /** JSON Schema 2020-12 of `structuredContent`, of type object. */
  readonly schema: JsonSchema;
  /** Property that wraps the value if its schema is not of type object. */
  readonly property: 'result' | undefined;
}

/** Wraps other schemas in an object schema, which MCP requires up to 2025-11-25. */
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
