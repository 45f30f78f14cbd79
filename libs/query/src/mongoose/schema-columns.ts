import type { SchemaType } from 'mongoose';
import type { ColumnType } from '../resolve/column.js';
import type { ColumnSource, DerivedColumn } from '../resolve/derived-columns.js';

/** The paths of a schema. */
export interface PathsOfSchema {
  readonly paths: Readonly<Record<string, SchemaType>>;
}

/** The paths of a schema as columns. */
export function columnsOfSchema(name: string, schema: PathsOfSchema): ColumnSource {
  return {
    label: `model ${name}`,
    primaryKey: Object.hasOwn(schema.paths, '_id') ? ['_id'] : [],
    propertyOf(path) {
      const found = pathOf(schema, path);
      return found && { name: path, ...columnOf(found.type, found.optional) };
    },
  };
}

/** The type at a path; `optional` if it or a surrounding subdocument may be missing. */
export function pathOf(
  schema: PathsOfSchema,
  path: string,
): { readonly type: SchemaType; readonly optional: boolean } | undefined {
  // A name that starts with `$` is an operator, or refers to the values of a Map.
  if (path.split('.').some((name) => name.startsWith('$'))) return undefined;
  if (Object.hasOwn(schema.paths, path)) {
    const type = schema.paths[path] as SchemaType;
    return { type, optional: path !== '_id' && !isAlwaysRequired(type) };
  }
  // Through single subdocuments only: a path through an array has several values.
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const around = pathOf(schema, path.slice(0, dot));
    if (around?.type.instance !== 'Embedded') continue;
    const inner = pathOf((around.type as EmbeddedType).schema, path.slice(dot + 1));
    return inner && { type: inner.type, optional: inner.optional || around.optional };
  }
  return undefined;
}

type EmbeddedType = SchemaType & { readonly schema: PathsOfSchema };

function columnOf(type: SchemaType, nullable: boolean): Omit<DerivedColumn, 'name'> {
  const native = type.instance;
  const values = ((type as { enumValues?: readonly unknown[] }).enumValues ?? []).filter(isText);
  if (native === 'String' && values.length > 0) return { native, nullable, type: 'enum', values };
  const columnType = TYPES.get(native);
  const isBinary = columnType === 'uuid' || columnType === 'objectId';
  return { native, nullable, type: columnType, ...(isBinary && { asText: false }) };
}

const TYPES: ReadonlyMap<string, ColumnType> = new Map([
  ['String', 'string'],
  ['Number', 'number'],
  ['Double', 'number'],
  ['Int32', 'integer'],
  ['BigInt', 'bigint'],
  ['Decimal128', 'decimal'],
  ['Boolean', 'boolean'],
  ['Date', 'timestamp'],
  ['ObjectId', 'objectId'],
  ['UUID', 'uuid'],
]);

/** Required in every document: `required: true` or `required: [true, 'message']`, but not a function. */
function isAlwaysRequired({ isRequired, options }: SchemaType): boolean {
  const required: unknown = [(options as { required?: unknown }).required].flat()[0];
  const setting: unknown =
    typeof required === 'object' && required !== null && 'isRequired' in required
      ? required.isRequired
      : required;
  return isRequired === true && typeof setting !== 'function';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
