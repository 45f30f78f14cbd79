import { isStandardSchema, type StandardSchema } from '../decorators/standard-schema.js';
import type { JsonSchema } from '../decorators/tool.metadata.js';
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
