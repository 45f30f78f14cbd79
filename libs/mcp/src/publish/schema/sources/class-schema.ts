import { isObject } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { classPropertiesOf, type ClassProperty } from './class-properties.js';
import type { SchemaScope } from './schema-scope.js';
import { type Field, objectSchema } from '../shape.js';
import type { Direction, TypeMetadata } from './transformer-metadata.js';
import { completeArgument, orNull } from './complete-argument.js';
import { BIG_INTEGER } from '../big-integers.js';
import { layered, nullable, saysKind, typesOf, without } from '../json-schema.js';
import { keptReadOnly } from '../marked-properties.js';
import { swaggerSchemaOf } from './swagger-schema.js';
import { validatedProperty, type ValidatedProperty } from './validated-property.js';

/**
 * Returns the schema of a DTO class, or undefined if no property has a decorator. Additional
 * properties are allowed, because the ValidationPipe decides whether to strip or reject them.
 */
export function classSchemaOf(type: Type, scope: SchemaScope): JsonSchema | undefined {
  const properties = classPropertiesOf(type, scope.direction);
  if (properties.length === 0) return undefined;
  return objectSchema(properties.map((property) => propertyField(property, scope)));
}

/** Returns true if a property of the class has a decorator. */
export function isDescribed(type: Type, direction: Direction): boolean {
  return classPropertiesOf(type, direction).length > 0;
}

/**
 * Converts one property of a DTO class to a field. The sources, from the lowest precedence to the
 * highest: the compiler's type, swagger's metadata, `@Type`, the validators. Validators come last,
 * because they decide at run time.
 */
function propertyField(property: ClassProperty, scope: SchemaScope): Field {
  const validated = validatedProperty(property.validators, (fact) =>
    scope.warn(`${property.owner.name}.${property.name}: ${fact}`),
  );
  const documented = without(
    property.swagger === undefined ? {} : swaggerSchemaOf(property.swagger, scope, property.owner),
    ...validated.decided,
  );
  const typed =
    property.typed === undefined ? {} : typedSchema(property.typed, property, validated, scope);
  const judged = arrayAware(validated, property.designType);
  const known = layered(layered(documented, typed), judged);
  const schema = saysMore(known) ? known : layered(scope.schemaOfType(property.designType), known);
  if (scope.direction === 'out') return answeredField(schema, validated, property);
  const argument = isSentAs(documented, layered(typed, judged), property)
    ? orNull(documented, validated, scope)
    : isBigInt(property, judged)
      ? orNull({ ...without(schema, 'anyOf', 'items'), ...BIG_INTEGER }, validated, scope)
      : completeArgument(schema, validated, property, scope);
  return {
    name: property.name,
    schema: markedReadOnly(argument, validated, property, scope),
    required: isRequired(validated, property),
  };
}

/** Returns true if a property accepts a bigint, and no validator requires a number. */
function isBigInt({ designType }: ClassProperty, judged: JsonSchema): boolean {
  return designType === BigInt && typesOf(judged).length === 0;
}

/**
 * Marks a documented read-only property. The property is removed from the arguments, unless
 * validators require it.
 */
function markedReadOnly(
  schema: JsonSchema,
  validated: ValidatedProperty,
  property: ClassProperty,
  scope: SchemaScope,
): JsonSchema {
  if (property.swagger?.['readOnly'] !== true) return schema;
  const isKept = validated.presence === 'required' && property.initial === undefined;
  if (isKept) scope.warn(keptReadOnly(`${property.owner.name}.${property.name}`));
  return { ...schema, readOnly: !isKept };
}

/**
 * Returns a property of a response. The property is optional and may be null. Serializers omit
 * undefined values. `@Exclude` has an effect only with an interceptor. Databases return null for
 * optional properties.
 */
function answeredField(
  schema: JsonSchema,
  validated: ValidatedProperty,
  property: ClassProperty,
): Field {
  const { name, transformed } = property;
  if (transformed) return { name, schema: {}, required: false };
  const mayBeNull = validated.nullable || !isRequired(validated, property);
  return { name, schema: mayBeNull ? nullable(schema) : schema, required: false };
}

/**
 * Returns true if requests contain the documented type and `@Transform` converts the value to the
 * type that the validators check. Example: a parsed filter with `@ApiProperty({ type: String })`.
 */
function isSentAs(documented: JsonSchema, judged: JsonSchema, property: ClassProperty): boolean {
  if (!property.transformed || property.swagger?.['type'] === property.designType) return false;
  const sent = kindsOf(documented);
  const kinds = kindsOf(judged);
  return sent.length > 0 && kinds.length > 0 && !sent.some((kind) => kinds.includes(kind));
}

/** Returns the JSON types of a schema. `integer` counts as `number`, and a `$ref` as `object`. */
function kindsOf(schema: JsonSchema): readonly string[] {
  if ('$ref' in schema) return ['object'];
  const branches: unknown = schema['anyOf'];
  if (Array.isArray(branches)) return branches.filter(isObject).flatMap(kindsOf);
  return typesOf(schema).map((type) => (type === 'integer' ? 'number' : type));
}

/**
 * Returns true if the kind of value is known. A plain `object` does not count, because the compiler
 * may have emitted a class.
 */
function saysMore(schema: JsonSchema): boolean {
  const bareObject =
    schema['type'] === 'object' && !('properties' in schema) && !('$ref' in schema);
  return saysKind(schema) && !bareObject;
}

function isRequired(validated: ValidatedProperty, property: ClassProperty): boolean {
  if (property.initial !== undefined || validated.presence === 'optional') return false;
  if (validated.presence === 'required') return true;
  return property.swagger !== undefined && property.swagger['required'] !== false;
}

/** Returns the schema of `@Type(() => Item)`, as an array if the property is an array. */
function typedSchema(
  typed: TypeMetadata,
  property: ClassProperty,
  validated: ValidatedProperty,
  scope: SchemaScope,
): JsonSchema {
  const { discriminator } = typed.options ?? {};
  const item =
    discriminator === undefined
      ? scope.schemaOfType(typed.typeFunction?.())
      : {
          anyOf: discriminator.subTypes.map(({ name, value }) => ({
            ...scope.schemaOfType(value),
            // The route needs this property to distinguish the types. So the property stays, even
            // if it is read-only.
            properties: { [discriminator.property]: { const: name, readOnly: false } },
            required: [discriminator.property],
          })),
        };
  // class-transformer converts each value of an object to the type, and stores it in the map.
  if (property.designType === Map) return { type: 'object', additionalProperties: item };
  const isArray =
    property.designType === Array ||
    property.designType === Set ||
    validated.items !== undefined ||
    validated.value['type'] === 'array';
  return isArray ? { type: 'array', items: item } : item;
}

/** Returns the validators' keywords. Keywords of `{ each: true }` validators apply to the items. */
function arrayAware(validated: ValidatedProperty, designType: unknown): JsonSchema {
  const { value, items } = validated;
  if (items === undefined) return value;
  if (value['type'] === undefined && designType === Object && saysKind(items)) {
    // `string | string[]`: class-validator also applies the item rules to a single value.
    return { ...value, anyOf: [items, { type: 'array', items }] };
  }
  return value['type'] === 'object' ? value : { ...value, type: 'array', items };
}
