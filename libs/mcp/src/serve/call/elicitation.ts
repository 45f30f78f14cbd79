import { isObject } from '@fledge-internal/options';
import {
  isStandardSchema,
  type JsonSchema,
  type StandardSchema,
} from '../../publish/decorators/author-schema.js';
import {
  type ArgumentValidator,
  createArgumentValidator,
} from '../../publish/arguments/argument-validator.js';
import { without } from '../../publish/schema/json-schema.js';
import { convertedSchema } from '../../publish/schema/sources/standard-json-schema.js';
import { McpClientAnswerError } from '../../mcp.errors.js';

/** Keywords that forms do not support (MCP 2025-11-25, `PrimitiveSchemaDefinition`). */
const UNKNOWN_TO_FORMS = ['pattern', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The formats of forms. The official clients reject a form with any other format. */
const FORMATS: readonly unknown[] = ['email', 'uri', 'date', 'date-time'];

/**
 * Returns the JSON Schema of a form. The schema has only keywords that clients support.
 * @throws ToolSchemaError if a Standard Schema cannot be converted
 */
export function formSchemaOf(schema: StandardSchema | JsonSchema): JsonSchema {
  if (!isStandardSchema(schema)) return schema;
  const { properties, required } = convertedSchema(
    schema,
    'input',
    'The schema of an elicitation',
    () => undefined,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => [
        name,
        isObject(property) ? formField(property) : property,
      ]),
    ),
    ...(required !== undefined && { required }),
  };
}

function formField(property: JsonSchema): JsonSchema {
  const field = without(property, ...UNKNOWN_TO_FORMS);
  return FORMATS.includes(field['format']) ? field : without(field, 'format');
}

/** @throws McpClientAnswerError if the content does not match the schema */
export async function formContentOf<Content>(
  schema: StandardSchema<Content> | JsonSchema,
  content: unknown,
): Promise<Content> {
  if (isStandardSchema(schema)) {
    const parsed = (await schema['~standard'].validate(content)) as Parsed<Content>;
    if (parsed.issues) throw misfit(parsed.issues.map(({ message }) => message).join('; '));
    return parsed.value;
  }
  const validate = await validatorOf(schema);
  const fault = validate(content);
  if (fault !== undefined) throw misfit(fault);
  return content as Content;
}

type Parsed<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

const validators = new WeakMap<JsonSchema, Promise<ArgumentValidator>>();

function validatorOf(schema: JsonSchema): Promise<ArgumentValidator> {
  const known = validators.get(schema);
  if (known) return known;
  const validator = createArgumentValidator().then((compile) => compile(schema));
  validators.set(schema, validator);
  return validator;
}

function misfit(reason: string): McpClientAnswerError {
  return new McpClientAnswerError('elicitation', reason);
}
