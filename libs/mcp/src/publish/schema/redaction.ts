import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';
import { isSecret, SecretSchemas } from './secret-schemas.js';

/** Replacement for a secret in a call record. */
export const REDACTED = '[redacted]';

type Values = Readonly<Record<string, unknown>>;

/**
 * Copies arguments or a result, and leaves out secrets. The arguments or the result may be invalid.
 */
export type Redaction = <T>(value: T) => T;

/**
 * Creates the redaction of an operation's arguments or result. A value is secret if its schema has
 * `writeOnly` or `format: password`, or if `redact` contains its name. A property is also secret if
 * the schema rejects its name, because a misspelled property may contain a secret. If a schema
 * contains secrets, every value that the schema does not describe is secret. An example is a list
 * instead of an object. Other invalid strings and numbers are kept.
 * @param redact names of arguments; `user.pin` is the field `pin` of the argument `user`, or of its
 * items
 */
export function redactionOf(schema: JsonSchema, redact: readonly string[]): Redaction {
  return redactionAt({ redact, anyDepth: [] }, schema);
}

/**
 * Creates the redaction of a tool's result. A property is secret by the rules of `redactionOf`, but
 * the names in `redact` apply at any depth. A property is also secret if a secret argument has the
 * same name, because routes often return the received data.
 */
export function resultRedactionOf(
  output: JsonSchema,
  input: JsonSchema,
  redact: readonly string[],
): Redaction {
  const names = [...redact, ...new SecretSchemas(input).secretNames()];
  return redactionAt({ redact: names, anyDepth: names }, output);
}

function redactionAt(names: Pick<Place, 'redact' | 'anyDepth'>, schema: JsonSchema): Redaction {
  const document = new SecretSchemas(schema);
  const place = { schemas: [schema], document, ...names, isGuarded: false };
  return <T>(value: T) => shown(value, place) as T;
}

/** A position in a value. It has the schemas that apply to it, and the names to redact below it. */
interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly document: SecretSchemas;
  readonly redact: readonly string[];
  /** The names to redact at any depth, even if a schema describes the properties. */
  readonly anyDepth: readonly string[];
  /**
   * True if an enclosing schema contains secrets. An invalid value at this position may then
   * contain a secret.
   */
  readonly isGuarded: boolean;
}

/** A position with resolved references. */
interface ResolvedPlace extends Place {
  /**
   * True if the schemas contain secrets. Values that the schemas do not describe are then secret.
   */
  readonly hasSecrets: boolean;
}

function shown(value: unknown, place: Place): unknown {
  const { document, redact, anyDepth } = place;
  const schemas = document.expanded(place.schemas);
  if (schemas.some(isSecret)) return REDACTED;
  if (value === null || value === undefined) return value;
  const hasSecrets = document.containSecrets(schemas, redact.map(firstOf));
  const isGuarded = hasSecrets || place.isGuarded;
  if (isGuarded && !document.describeKind(schemas, value)) {
    if (hasSecrets || typeof value === 'object' || isJsonText(value)) return REDACTED;
  }
  const at: ResolvedPlace = { schemas, document, redact, anyDepth, isGuarded, hasSecrets };
  if (Array.isArray(value)) return itemsOf(value, at);
  if (isObject(value)) return membersOf(value, at);
  return redact.length > 0 && isJsonText(value) ? REDACTED : value;
}

function itemsOf(value: readonly unknown[], place: ResolvedPlace): unknown {
  const schemas = place.document.items(place.schemas);
  if (place.hasSecrets && schemas.length === 0) return REDACTED;
  return value.map((item) => shown(item, { ...place, schemas }));
}

function membersOf(value: Values, place: ResolvedPlace): Values {
  const { schemas, document, redact, anyDepth, isGuarded, hasSecrets } = place;
  const isClosed = hasSecrets || schemas.some(isClosedSchema);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, unknown] => {
      const below = document.member(schemas, name);
      const isDescribed = below.length > 0;
      if (redact.includes(name) || (isClosed && !isDescribed)) return [name, REDACTED];
      const paths = redact
        .filter((path) => path.startsWith(`${name}.`))
        .map((path) => path.slice(name.length + 1));
      // If no schema defines the depth of a named secret, the name is searched at any depth.
      const names = [...paths, ...(isDescribed ? anyDepth : redact)];
      const at = { schemas: below, document, redact: names, anyDepth, isGuarded };
      return [name, shown(member, at)];
    }),
  );
}

function firstOf(path: string): string {
  return path.split('.', 1)[0] as string;
}

function isClosedSchema(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
}

/** Returns true for a string that may be a JSON object or list containing secrets. */
function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[[{]/.test(value);
}
