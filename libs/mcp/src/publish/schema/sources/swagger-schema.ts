import { isObject } from '@fledge-internal/options';
import type { Type } from '@nestjs/common';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { enumValues, typeOfValues } from './enum-values.js';
import { defined, nullable, without } from '../json-schema.js';
import type { SchemaScope } from './schema-scope.js';
import { mapSubschemas } from '../subschemas.js';
import { extraModel, type ModelOwner, type SwaggerOptions } from './swagger-metadata.js';

/** Keywords with the same name and meaning in OpenAPI and JSON Schema 2020-12. */
const SHARED = [
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'oneOf',
  'anyOf',
  'allOf',
  'properties',
  'items',
  'not',
] as const;

/** If `isArray` is set, these keywords apply to the array, not to its items. */
const OF_LISTS = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'minItems',
  'maxItems',
  'uniqueItems',
];

/** Converts the @nestjs/swagger options of one property or parameter to JSON Schema. */
export function swaggerSchemaOf(
  options: SwaggerOptions,
  scope: SchemaScope,
  owner: ModelOwner,
): JsonSchema {
  const { schema: inner, ...outer } = options;
  const merged = isObject(inner) ? { ...outer, ...inner } : outer;
  const element = withoutOpenApi(merged, scope, owner);
  const schema = merged['isArray'] === true ? arrayOf(element) : element;
  return merged['nullable'] === true ? nullable(schema) : schema;
}

/** Applies `isArray: true`. Keywords in `OF_LISTS` stay on the array. Others move to its items. */
function arrayOf(element: JsonSchema): JsonSchema {
  if (element['type'] === 'array') return element;
  const item = without(element, ...OF_LISTS);
  return { ...without(element, ...Object.keys(item)), type: 'array', items: item };
}

function withoutOpenApi(
  options: SwaggerOptions,
  scope: SchemaScope,
  owner: ModelOwner,
): JsonSchema {
  const shared = defined(Object.fromEntries(SHARED.map((keyword) => [keyword, options[keyword]])));
  const composed = 'oneOf' in shared || 'anyOf' in shared || 'allOf' in shared;
  const required = options['required'];
  const schema = {
    ...shared,
    ...(composed && options['isArray'] !== true ? {} : typeKeywords(options['type'], scope, owner)),
    ...('items' in shared ? { items: shared['items'] } : {}),
    ...enumKeywords(options['enum'], options['isArray'] === true),
    ...exclusive(options, 'exclusiveMinimum', 'minimum'),
    ...exclusive(options, 'exclusiveMaximum', 'maximum'),
    ...examplesOf(options),
    ...(Array.isArray(required) ? { required } : {}),
  };
  return withModels(schema, scope, owner);
}

function typeKeywords(type: unknown, scope: SchemaScope, owner: ModelOwner): JsonSchema {
  if (type === undefined || type === null || type === '') return {};
  if (typeof type === 'string') return namedType(type, scope);
  if (Array.isArray(type)) return { type: 'array', items: typeKeywords(type[0], scope, owner) };
  if (typeof type === 'function') {
    const known = type as Type & (() => unknown);
    return isLazy(known) ? typeKeywords(known(), scope, owner) : scope.schemaOfType(known);
  }
  if (!isObject(type)) return {};
  const members = Object.values(type);
  if (members.length > 0 && members.every((member) => !isObject(member)))
    return enumKeywords(type, false);
  return objectLiteral(type, scope, owner);
}

const JSON_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/**
 * Returns the schema for the name of a type. Names that JSON Schema does not define are ignored,
 * because a validator would reject every call.
 */
function namedType(type: string, scope: SchemaScope): JsonSchema {
  if (type === 'file') return { type: 'string' };
  if (type === 'bigint') return scope.schemaOfType(BigInt);
  return JSON_TYPES.has(type) ? { type } : {};
}

/**
 * Returns true if a function returns the type (`() => Cat`). The plugin's functions are named
 * `type`.
 */
function isLazy(type: Function): boolean {
  return type.prototype === undefined || type.name === 'type';
}

function objectLiteral(literal: SwaggerOptions, scope: SchemaScope, owner: ModelOwner): JsonSchema {
  const members = Object.entries(literal).filter((entry): entry is [string, SwaggerOptions] =>
    isObject(entry[1]),
  );
  const required = members
    .filter(([, options]) => options['required'] === true)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.map(([name, o]) => [name, swaggerSchemaOf(o, scope, owner)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function enumKeywords(entity: unknown, onItems: boolean): JsonSchema {
  const values = enumValues(entity);
  if (values.length === 0) return {};
  const keywords = { ...typeOfValues(values), enum: values };
  return onItems ? { type: 'array', items: keywords } : keywords;
}

/** Converts `exclusiveMinimum: true` with `minimum` (OpenAPI 3.0) to a number (2020-12). */
function exclusive(options: SwaggerOptions, keyword: string, inclusive: string): JsonSchema {
  const value = options[keyword];
  if (typeof value === 'number') return { [keyword]: value };
  return value === true && typeof options[inclusive] === 'number'
    ? { [keyword]: options[inclusive] }
    : {};
}

function examplesOf(options: SwaggerOptions): JsonSchema {
  const examples = options['examples'];
  if (Array.isArray(examples)) return { examples };
  if (isObject(examples)) {
    return {
      examples: Object.values(examples).map((item) =>
        isObject(item) && 'value' in item ? item['value'] : item,
      ),
    };
  }
  return options['example'] === undefined ? {} : { examples: [options['example']] };
}

/** Resolves `$ref: getSchemaPath(Cat)`. Without `@ApiExtraModels`, any value is accepted. */
function withModels(schema: JsonSchema, scope: SchemaScope, owner: ModelOwner): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref === 'string' && ref.startsWith('#/components/')) {
    const model = extraModel(owner, ref);
    return model === undefined ? {} : scope.schemaOfType(model);
  }
  const { nullable: mayBeNull, ...rest } = schema;
  const inner = mapSubschemas(rest, (item) => withModels(item, scope, owner));
  return mayBeNull === true ? nullable(inner) : inner;
}
