import type { JsonSchema } from '../decorators/author-schema.js';
import { isRecord, typesOf } from './json-schema.js';
import { resolvePointer } from './subschemas.js';

/** Replaces a secret in a record of a call. */
const REDACTED = '[redacted]';

type Values = Readonly<Record<string, unknown>>;

/** Copies arguments, or a result, without secrets. The value may be invalid. */
export type Redaction = <T>(value: T) => T;

/**
 * Creates the redaction of an operation's arguments or result. A value is secret if its schema has `writeOnly` or
 * `format: password`, if it is named in `redact`, or if the schema does not accept a property of its name: a
 * misspelled property may hold a secret.
 * @param redact names of arguments; `user.pin` is the member `pin` of the argument `user`, or of its items
 */
export function redactionOf(schema: JsonSchema, redact: readonly string[]): Redaction {
  return <T>(value: T) => shown(value, { schemas: [schema], root: schema, redact }) as T;
}

/** The place of a value: the schemas that apply to it, and the names to redact below it. */
interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly root: JsonSchema;
  readonly redact: readonly string[];
}

function shown(value: unknown, place: Place): unknown {
  const at = { ...place, schemas: expanded(place.schemas, place.root) };
  if (at.schemas.some(isSecret)) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => shown(item, { ...at, schemas: items(at) }));
  if (isRecord(value)) return membersOf(value, at);
  return typeof value === 'string' && isForObjects(at.schemas) ? REDACTED : value;
}

function membersOf(value: Values, place: Place): Values {
  const { schemas, root, redact } = place;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, unknown] => {
      const below = schemas
        .map((schema) => schemaOf(schema, name))
        .filter((each) => each !== undefined);
      const isUnknown = below.length === 0 && schemas.some(isClosed);
      if (isUnknown || redact.includes(name)) return [name, REDACTED];
      const names = redact
        .filter((path) => path.startsWith(`${name}.`))
        .map((path) => path.slice(name.length + 1));
      return [name, shown(member, { schemas: below, root, redact: names })];
    }),
  );
}

function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password';
}

function isClosed(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
}

/** True if an object or a list belongs here, and no text. The text may be JSON with secrets in it. */
function isForObjects(schemas: readonly JsonSchema[]): boolean {
  const types = schemas.flatMap(typesOf);
  return (types.includes('object') || types.includes('array')) && !types.includes('string');
}

function schemaOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const properties = schema['properties'];
  const own =
    isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return isRecord(own) ? own : {};
  const rest = schema['additionalProperties'];
  return isRecord(rest) ? rest : undefined;
}

function items({ schemas }: Place): readonly JsonSchema[] {
  return schemas.flatMap(({ items: each, prefixItems: first }) =>
    [each, ...(Array.isArray(first) ? (first as unknown[]) : [])].filter(isRecord),
  );
}

const BRANCHES = ['anyOf', 'oneOf', 'allOf', 'then', 'else'];

/** The schemas with those that they refer to or combine, in any branch. */
function expanded(schemas: readonly JsonSchema[], root: JsonSchema): readonly JsonSchema[] {
  const seen = new Set<JsonSchema>(schemas);
  // A set may grow while it is iterated: what is added is visited too.
  for (const schema of seen) {
    const ref = schema['$ref'];
    const referred = typeof ref === 'string' && resolvePointer(root, ref);
    if (isRecord(referred)) seen.add(referred);
    for (const branch of BRANCHES.flatMap((keyword) => schema[keyword] ?? [])) {
      if (isRecord(branch)) seen.add(branch);
    }
  }
  return [...seen];
}
