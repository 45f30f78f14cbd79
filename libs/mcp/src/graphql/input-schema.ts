import {
  astFromValue,
  getNullableType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  valueFromASTUntyped,
} from 'graphql';
import type { JsonSchema } from '../publish/decorators/author-schema.js';
import { nullable } from '../publish/schema/json-schema.js';

const BUILT_IN: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
};

/**
 * Converts GraphQL input types to JSON Schema 2020-12. Each input object becomes one definition.
 */
export class InputTypes {
  private readonly definitions = new Map<string, JsonSchema>();

  /** @param onUnknown called for a scalar without a JSON Schema. Such a scalar accepts any value */
  constructor(
    private readonly scalars: Readonly<Record<string, JsonSchema>>,
    private readonly onUnknown: (scalar: string) => void,
  ) {}

  /** Definitions of the input objects converted so far, by name. */
  get $defs(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.definitions);
  }

  /** Returns the schema of a type. The schema accepts null unless the type is non-null. */
  schemaOf(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.nonNull(type.ofType);
    return nullable(this.nonNull(type));
  }

  private nonNull(type: GraphQLInputType): JsonSchema {
    if (isNonNullType(type)) return this.nonNull(type.ofType);
    if (isListType(type)) return { type: 'array', items: this.schemaOf(type.ofType) };
    return this.named(type);
  }

  private named(type: GraphQLNamedInputType): JsonSchema {
    if (isInputObjectType(type)) return this.reference(type);
    if (isEnumType(type)) {
      const values = type.getValues();
      return described({ type: 'string', enum: values.map(({ name }) => name) }, [
        type.description,
        ...values.map(({ name, description }) => description && `${name}: ${description}`),
      ]);
    }
    const { name, description } = type;
    const known = Object.hasOwn(this.scalars, name) ? this.scalars[name] : BUILT_IN[name];
    if (known) return known;
    this.onUnknown(name);
    return described({}, [description]);
  }

  private reference(type: GraphQLInputObjectType): JsonSchema {
    const { name } = type;
    if (!this.definitions.has(name)) {
      // Reserve the name first, because the type may contain itself.
      this.definitions.set(name, {});
      this.definitions.set(name, this.inputObject(type));
    }
    return { $ref: `#/$defs/${name}` };
  }

  private inputObject(type: GraphQLInputObjectType): JsonSchema {
    const fields = Object.values(type.getFields());
    // In a @oneOf input, exactly one field is set, and its value is not null.
    const isOneOf = (type as { readonly isOneOf?: boolean }).isOneOf === true;
    const properties = fields.map((field): [string, JsonSchema] => [
      field.name,
      this.field(field, isOneOf ? getNullableType(field.type) : undefined),
    ]);
    const required = isOneOf ? [] : fields.filter(isRequired).map(({ name }) => name);
    return described(
      {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(required.length > 0 && { required }),
        ...(isOneOf && { minProperties: 1, maxProperties: 1 }),
        additionalProperties: false,
      },
      [type.description],
    );
  }

  private field(field: GraphQLInputField, setType: GraphQLInputType | undefined): JsonSchema {
    const schema = setType ? this.nonNull(setType) : this.schemaOf(field.type);
    const value = defaultOf(field);
    return {
      ...described(schema, [field.description]),
      ...(value !== undefined && value !== null && { default: value }),
      ...(field.deprecationReason != null && { deprecated: true }),
    };
  }
}

/**
 * Adds a description. Each argument is one line. Without lines, the schema keeps its own
 * description.
 */
export function described(
  schema: JsonSchema,
  lines: readonly (string | null | undefined)[],
): JsonSchema {
  const description = lines.filter((line) => line).join('\n');
  return description === '' ? schema : { ...schema, description };
}

function isRequired(field: GraphQLInputField): boolean {
  return isNonNullType(field.type) && defaultOf(field) === undefined;
}

/** Returns the default of a field as JSON. graphql 17 keeps defaults as literals. */
function defaultOf(field: GraphQLInputField): unknown {
  const { default: written } = field as GraphQLInputField & { readonly default?: WrittenDefault };
  if (written?.literal) return valueFromASTUntyped(written.literal);
  if (written && 'value' in written) return written.value;
  if (field.defaultValue === undefined) return undefined;
  const literal = astFromValue(field.defaultValue, field.type);
  return literal ? valueFromASTUntyped(literal) : undefined;
}

interface WrittenDefault {
  readonly value?: unknown;
  readonly literal?: Parameters<typeof valueFromASTUntyped>[0];
}
