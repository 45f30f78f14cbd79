import { isObject } from '@fledge-internal/options';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';
import { frozenCopy, without } from './json-schema.js';
import { convertedSchema } from './sources/standard-json-schema.js';

/**
 * Returns the published schema of a tool's results: the output of a Standard Schema, or a JSON
 * Schema unchanged. Parts that cannot be converted accept any value, because an output schema is
 * only documentation.
 *
 * @throws {ToolSchemaError} if the schema cannot be converted, or is not a JSON Schema object
 */
export function outputSchemaOf(schema: StandardSchema | JsonSchema, place: string): JsonSchema {
  const site = `outputSchema of ${place}`;
  if (isStandardSchema(schema)) {
    const converted = convertedSchema(schema, 'output', site, () => undefined);
    return frozenCopy(without(converted, '$schema'));
  }
  if (!isObject(schema)) {
    throw new ToolSchemaError(
      site,
      'the schema must be a JSON Schema object or a Standard Schema, such as a zod schema.',
    );
  }
  return frozenCopy(schema);
}

/**
 * Allowed values of `structuredContent`: an `object` up to MCP 2025-11-25, any JSON value (`json`)
 * since 2026-07-28.
 */
export type StructuredForm = 'object' | 'json';

/**
 * The published schema of `structuredContent`, and the rule by which a response becomes
 * `structuredContent`.
 */
export interface PublishedOutput {
  /** JSON Schema 2020-12. */
  readonly schema: JsonSchema;
  /**
   * The property that contains the response. Set only if an object is required and the response is
   * not an object.
   */
  readonly property: 'result' | undefined;
}

/** The published output of a tool. */
export interface ToolOutput extends Readonly<Record<StructuredForm, PublishedOutput>> {
  /**
   * `explicit`: the author wrote the schema, and responses are sent unchanged. `declared`: the
   * schema was derived from the route. A response that does not match this schema is sent in
   * another property.
   */
  readonly source: 'explicit' | 'declared';
  /** Describes everything that a response may contain. Used to redact traces. */
  readonly sent: JsonSchema;
  /** Returns the output for responses from which fields are removed: no field is required. */
  partial(this: void): ToolOutput;
}
