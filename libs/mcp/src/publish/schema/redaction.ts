import type { JsonSchema } from '../decorators/author-schema.js';
import { isRecord } from './json-schema.js';
import { isSecret, SecretSchemas } from './secret-schemas.js';

/** Replaces a secret in a record of a call. */
export const REDACTED = '[redacted]';

type Values = Readonly<Record<string, unknown>>;

/** Copies arguments, or a result, without secrets. The value may be invalid. */
export type Redaction = <T>(value: T) => T;

/**
 * Creates the redaction of an operation's arguments or result. A value is secret if its schema has `writeOnly` or
 * `format: password`, if it is named in `redact`, or if the schema rejects a property of its name: a misspelled
 * property may hold a secret. Where a schema contains secrets, everything is secret that it does not describe, such
 * as a list instead of an object. A wrong text or number that no secret covers is shown.
 * @param redact names of arguments; `user.pin` is the member `pin` of the argument `user`, or of its items
 */
export function redactionOf(schema: JsonSchema, redact: readonly string[]): Redaction {
  const document = new SecretSchemas(schema);
  const place = { schemas: [schema], document, redact, isGuarded: false };
  return <T>(value: T) => shown(value, place) as T;
}

/**
 * Creates the redaction of a tool's result. A property is secret as in `redactionOf`, and if it has the name of a secret
 * argument: routes often return what they were sent.
 */
export function resultRedactionOf(
  output: JsonSchema,
  input: JsonSchema,
  redact: readonly string[],
): Redaction {
  return redactionOf(output, [...redact, ...new SecretSchemas(input).secretNames()]);
}

/** The place of a value: the schemas that apply to it, and the names to redact below it. */
interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly document: SecretSchemas;
  readonly redact: readonly string[];
  /** A schema above contains secrets: a wrong value here may hold one of them. */
  readonly isGuarded: boolean;
}

/** A place whose references are resolved. */
interface ResolvedPlace extends Place {
  /** The schemas contain secrets: what they do not describe is secret. */
  readonly hasSecrets: boolean;
}

function shown(value: unknown, place: Place): unknown {
  const { document, redact } = place;
  const schemas = document.expanded(place.schemas);
  if (schemas.some(isSecret)) return REDACTED;
  if (value === null || value === undefined) return value;
  const hasSecrets = document.containSecrets(schemas, redact.map(firstOf));
  const isGuarded = hasSecrets || place.isGuarded;
  if (isGuarded && !document.describeKind(schemas, value)) {
    if (hasSecrets || typeof value === 'object' || isJsonText(value)) return REDACTED;
  }
  const at: ResolvedPlace = { schemas, document, redact, isGuarded, hasSecrets };
  if (Array.isArray(value)) return itemsOf(value, at);
  if (isRecord(value)) return membersOf(value, at);
  return redact.length > 0 && isJsonText(value) ? REDACTED : value;
}

function itemsOf(value: readonly unknown[], place: ResolvedPlace): unknown {
  const schemas = place.document.items(place.schemas);
  if (place.hasSecrets && schemas.length === 0) return REDACTED;
  return value.map((item) => shown(item, { ...place, schemas }));
}

function membersOf(value: Values, place: ResolvedPlace): Values {
  const { schemas, document, redact, isGuarded, hasSecrets } = place;
  const isClosed = hasSecrets || schemas.some(isClosedSchema);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]): [string, unknown] => {
      const below = document.member(schemas, name);
      const isDescribed = below.length > 0;
      if (redact.includes(name) || (isClosed && !isDescribed)) return [name, REDACTED];
      const paths = redact
        .filter((path) => path.startsWith(`${name}.`))
        .map((path) => path.slice(name.length + 1));
      // Where no schema says at which depth a named secret is, it is searched at any.
      const names = isDescribed ? paths : [...paths, ...redact];
      return [name, shown(member, { schemas: below, document, redact: names, isGuarded })];
    }),
  );
}

function firstOf(path: string): string {
  return path.split('.', 1)[0] as string;
}

function isClosedSchema(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
}

/** True for a text that may be an object or a list with secrets in it. */
function isJsonText(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[[{]/.test(value);
}
