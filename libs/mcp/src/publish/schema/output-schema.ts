import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../decorators/author-schema.js';
import { ToolSchemaError } from '../../mcp.errors.js';
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

/**
 * What `structuredContent` may be: an `object` up to 2025-11-25, any JSON value (`json`) since 2026-07-28.
 */
export type StructuredForm = 'object' | 'json';

/** A published schema of `structuredContent`, and how an answer is arranged for it. */
export interface PublishedOutput {
  /** JSON Schema 2020-12. */
  readonly schema: JsonSchema;
  /** Property that wraps the answer, if an object is required and the answer is none. */
  readonly property: 'result' | undefined;
}

/** The published output of a tool. */
export interface ToolOutput extends Readonly<Record<StructuredForm, PublishedOutput>> {
  /**
   * `explicit`: the author wrote the schema, and answers are sent as they are. `declared`: it was derived
   * from the route, and answers that do not match it are sent in another property.
   */
  readonly source: 'explicit' | 'declared';
  /** Describes what is sent in any form, for the redaction of traces. */
  readonly sent: JsonSchema;
  /** The output for answers from which members are left out: nothing is required. */
  partial(this: void): ToolOutput;
}
