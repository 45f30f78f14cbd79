import type { SchemaType } from 'mongoose';
import { isHexadecimal } from '../config/column-types.js';
import type { ColumnType } from '../resolve/column.js';
import { InvalidQueryConfigError } from '../query.errors.js';
import type { ColumnSource, DerivedColumn } from '../resolve/derived-columns.js';
import type { QueryRelation } from '../resolve/relation.js';

/** The paths of a schema. */
export interface PathsOfSchema {
  readonly paths: Readonly<Record<string, SchemaType>>;
  /**
   * The schemas of the model's discriminators. The documents of all discriminators are in the same
   * collection.
   */
  readonly discriminators?: Readonly<Record<string, PathsOfSchema>> | undefined;
}

export function columnsOfSchema(name: string, schema: PathsOfSchema): ColumnSource {
  return {
    label: `model ${name}`,
    primaryKey: Object.hasOwn(schema.paths, '_id') ? ['_id'] : [],
    propertyOf(path) {
      const found = pathOf(schema, path);
      if (found === undefined) {
        refuseReference(name, schema, path);
        return undefined;
      }
      const { type, optional, ...place } = found;
      const isHidden = hiddenPathsOf(schema).some((hidden) => isWithin(path, hidden));
      return { ...place, ...columnOf(type, optional), ...(isHidden && { hasCursors: false }) };
    },
  };
}

/**
 * The paths with `select: false`. Paths inside these paths are left out. `find` omits these paths,
 * but `aggregate` returns them.
 */
export function hiddenPathsOf(schema: PathsOfSchema): string[] {
  const hidden = hiddenIn(schema, new Set());
  return [...new Set(hidden)].filter(
    (path) => !hidden.some((other) => other !== path && isWithin(path, other)),
  );
}

/** @param passed the schemas that contain this schema. A schema may contain itself */
function hiddenIn(schema: PathsOfSchema, passed: ReadonlySet<PathsOfSchema>): string[] {
  if (passed.has(schema)) return [];
  const around = new Set([...passed, schema]);
  const own = Object.entries(schema.paths).flatMap(([path, type]) => {
    // Skips the values of a Map. They have no fixed path that MongoDB could omit.
    if (path.includes('$*')) return [];
    if (isHidden(type)) return [path];
    const within = schemaWithin(type);
    return within ? hiddenIn(within, around).map((inner) => `${path}.${inner}`) : [];
  });
  const others = Object.values(schema.discriminators ?? {});
  return [...own, ...others.flatMap((other) => hiddenIn(other, around))];
}

function isHidden(type: SchemaType): boolean {
  const { selected, embeddedSchemaType, caster } = type as InternalType;
  return [selected, embeddedSchemaType?.selected, caster?.selected].includes(false);
}

/** These properties are missing in Mongoose's types. */
interface InternalType {
  readonly selected?: boolean;
  readonly options?: { readonly ref?: unknown };
  /** The type of the elements of an array. In Mongoose 8, the property is `caster`. */
  readonly embeddedSchemaType?: InternalType;
  readonly caster?: InternalType;
}

export function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`);
}

export interface FoundPath {
  /** The path, starting from the document or from the element of an array of subdocuments. */
  readonly name: string;
  readonly type: SchemaType;
  /** True if the property or a subdocument around it may be missing. */
  readonly optional: boolean;
  /** The array of subdocuments that contains the property. */
  readonly relation?: QueryRelation;
}

/** The path may go through subdocuments and arrays of subdocuments. */
export function pathOf(schema: PathsOfSchema, path: string): FoundPath | undefined {
  // A name that starts with `$` is an operator, or means the values of a Map.
  if (path.split('.').some((name) => name.startsWith('$'))) return undefined;
  if (Object.hasOwn(schema.paths, path)) {
    const type = schema.paths[path] as SchemaType;
    return { name: path, type, optional: path !== '_id' && !isAlwaysRequired(type) };
  }
  for (const [outer, rest] of splitsOf(path)) {
    const around = pathOf(schema, outer);
    if (around === undefined) continue;
    const within = schemaWithin(around.type);
    const inner = within && pathOf(within, rest);
    if (inner !== undefined) return pathWithin(around, inner);
  }
  return undefined;
}

/** Splits a path into two parts at each of its dots, starting with the last dot. */
function splitsOf(path: string): (readonly [outer: string, rest: string])[] {
  const names = path.split('.');
  return names
    .slice(1)
    .map((_, i) => names.length - 1 - i)
    .map((end) => [names.slice(0, end).join('.'), names.slice(end).join('.')]);
}

function pathWithin(around: FoundPath, inner: FoundPath): FoundPath {
  const { name, relation: from, type, optional } = around;
  if (type.instance === 'Array') {
    return { ...inner, relation: { name, many: true, ...(from && { from }) } };
  }
  return {
    ...inner,
    name: `${name}.${inner.name}`,
    optional: inner.optional || optional,
    ...(from && { relation: from }),
  };
}

/** Returns the schema of a subdocument, or of the elements of an array of subdocuments. */
export function schemaWithin(type: SchemaType): PathsOfSchema | undefined {
  if (type.instance !== 'Embedded' && type.instance !== 'Array') return undefined;
  return (type as SchemaType & { readonly schema?: PathsOfSchema }).schema;
}

/** @throws InvalidQueryConfigError if the path goes through a reference to another model */
function refuseReference(model: string, schema: PathsOfSchema, path: string): void {
  for (const [outer] of splitsOf(path)) {
    const type = pathOf(schema, outer)?.type as InternalType | undefined;
    const { options } = type?.embeddedSchemaType ?? type?.caster ?? type ?? {};
    if (options?.ref === undefined) continue;
    throw new InvalidQueryConfigError(
      `"${path}" of model ${model} goes through the reference "${outer}", ` +
        `but find() of Mongoose cannot join.`,
      `Filter by "${outer}" itself, or store the values in a subdocument.`,
    );
  }
}

function columnOf(type: SchemaType, nullable: boolean): Omit<DerivedColumn, 'name'> {
  const native = type.instance;
  const values = ((type as { enumValues?: readonly unknown[] }).enumValues ?? []).filter(isText);
  if (native === 'String' && values.length > 0) return { native, nullable, type: 'enum', values };
  const columnType = TYPES.get(native);
  return {
    native,
    nullable,
    type: columnType,
    ...(isHexadecimal(columnType) && { asText: false }),
  };
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

/** True for `required: true` and `required: [true, 'message']`, false for a function. */
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
