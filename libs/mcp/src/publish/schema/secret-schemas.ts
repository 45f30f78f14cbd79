import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { typesOf } from './json-schema.js';
import { branchesOf, closure, resolvePointer } from './subschemas.js';

export function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password';
}

const FOR_REST = ['additionalProperties', 'unevaluatedProperties'];
const FOR_ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'];
const FOR_OBJECTS = ['properties', 'patternProperties', 'required', ...FOR_REST];

/** The schema `true` as an object. One object, because `containSecrets()` stores its schemas. */
const ANYTHING: JsonSchema = {};

/** Reads a JSON Schema to redact values. The values may be invalid. */
export class SecretSchemas {
  private readonly known = new Map<string, Map<JsonSchema, boolean>>();

  /** @param root the document that contains the targets of references */
  constructor(private readonly root: JsonSchema) {}

  /**
   * Returns the schemas. Also returns the targets of their references and the schemas in all of
   * their branches.
   */
  expanded(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
    return closure(schemas, (schema) => this.branches(schema));
  }

  /**
   * Returns the schemas of a property. Returns an empty list if no schema describes the property.
   * An empty schema describes nothing.
   */
  member(schemas: readonly JsonSchema[], name: string): readonly JsonSchema[] {
    return schemas.flatMap((schema) => {
      const { properties, patternProperties } = schema;
      const own = valueOf(properties, name);
      const matching = Object.entries(isObject(patternProperties) ? patternProperties : {})
        .filter(([pattern]) => matches(pattern, name))
        .map(([, each]) => each);
      const found = [own, ...matching].filter((each) => each !== undefined && each !== false);
      if (found.length > 0) return found.map((each) => (isObject(each) ? each : ANYTHING));
      return FOR_REST.map((keyword) => schema[keyword]).filter(isDescription);
    });
  }

  /** Returns the schemas of the items of a list. */
  items(schemas: readonly JsonSchema[]): readonly JsonSchema[] {
    return schemas.flatMap((schema) =>
      FOR_ITEMS.flatMap((keyword) => schema[keyword] ?? []).filter(isObject),
    );
  }

  /** Returns true if the schemas describe values of this JSON type, or if they define no type. */
  describeKind(schemas: readonly JsonSchema[], value: unknown): boolean {
    const kinds = schemas.flatMap(kindsOf);
    return kinds.length === 0 || kinds.includes(kindOf(value));
  }

  /**
   * Returns true if one of the schemas contains a secret at any depth.
   * @param names additional properties that are secret
   */
  containSecrets(schemas: readonly JsonSchema[], names: readonly string[]): boolean {
    const key = names.join(' ');
    const known = this.known.get(key) ?? new Map<JsonSchema, boolean>();
    this.known.set(key, known);
    return schemas.some((schema) => {
      const found = known.get(schema) ?? this.containsSecret(schema, names);
      known.set(schema, found);
      return found;
    });
  }

  /** The names of the secret properties of the document, at any depth. */
  secretNames(): readonly string[] {
    return this.below(this.root).flatMap(({ properties }) =>
      Object.entries(isObject(properties) ? properties : {})
        .filter(([, member]) => isObject(member) && this.expanded([member]).some(isSecret))
        .map(([name]) => name),
    );
  }

  private containsSecret(schema: JsonSchema, names: readonly string[]): boolean {
    return this.below(schema).some(
      (each) =>
        isSecret(each) || names.some((name) => valueOf(each['properties'], name) !== undefined),
    );
  }

  /** A schema and all schemas that it contains or refers to. */
  private below(schema: JsonSchema): readonly JsonSchema[] {
    return closure([schema], (each) => [
      ...this.branches(each),
      ...this.items([each]),
      ...['properties', 'patternProperties'].flatMap((keyword) => valuesOf(each[keyword])),
      ...FOR_REST.map((keyword) => each[keyword]).filter(isObject),
    ]);
  }

  private branches(schema: JsonSchema): readonly JsonSchema[] {
    return branchesOf(schema, (ref) => resolvePointer(this.root, ref));
  }
}

function valueOf(record: unknown, name: string): unknown {
  return isObject(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

function valuesOf(record: unknown): readonly JsonSchema[] {
  return isObject(record) ? Object.values(record).filter(isObject) : [];
}

function isDescription(schema: unknown): schema is JsonSchema {
  return isObject(schema) && Object.keys(schema).length > 0;
}

/**
 * Matches a name against a pattern. An invalid pattern matches every name, because it may describe
 * a secret.
 */
function matches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}

/**
 * Returns the JSON types that a schema defines. Without `type`, returns the types to which its
 * keywords apply.
 */
function kindsOf(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  if (types.length > 0) return types.map((type) => (type === 'integer' ? 'number' : type));
  const values = [...valueList(schema['enum']), ...('const' in schema ? [schema['const']] : [])];
  return [
    ...values.map(kindOf),
    ...(FOR_OBJECTS.some((keyword) => keyword in schema) ? ['object'] : []),
    ...(FOR_ITEMS.some((keyword) => keyword in schema) ? ['array'] : []),
  ];
}

function valueList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
