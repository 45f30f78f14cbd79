/** A JSON Schema as tools publish it. */
export type Schema = Readonly<Record<string, unknown>>;

/** The properties of a field that depend on its type. */
export interface Shape {
  readonly kind: 'text' | 'number' | 'choice' | 'list' | 'object' | 'json';
  readonly choices?: readonly unknown[];
}

/**
 * Returns the type and limits of a parameter in words: "string, 1 to 200 characters", "integer >=
 * 1", "3 values".
 */
export function typeTextOf(shape: Shape, schema: Schema, nullable: boolean): string {
  const text = plainTextOf(shape, schema);
  return nullable && shape.kind !== 'choice' ? `${text} or null` : text;
}

function plainTextOf({ kind, choices = [] }: Shape, schema: Schema): string {
  switch (kind) {
    case 'text':
      return joined('string', lengths(schema), schema['format']);
    case 'number': {
      const range = limits(schema, 'minimum', 'maximum');
      const type = schema['type'] === 'integer' ? 'integer' : 'number';
      return range === undefined ? type : `${type} ${range}`;
    }
    case 'choice':
      return schema['type'] === 'boolean'
        ? 'boolean'
        : `${choices.length} ${choices.length === 1 ? 'value' : 'values'}`;
    case 'list':
      return joined('array', items(schema));
    case 'object':
      return 'object';
    case 'json':
      return 'JSON';
  }
}

function limits(schema: Schema, least: string, most: string): string | undefined {
  const low = numberOf(schema[least]);
  const high = numberOf(schema[most]);
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (high !== undefined) return `<= ${high}`;
  return low === undefined ? undefined : `>= ${low}`;
}

function lengths(schema: Schema): string | undefined {
  const range = limits(schema, 'minLength', 'maxLength');
  return range && `${range} characters`;
}

function items(schema: Schema): string | undefined {
  const range = limits(schema, 'minItems', 'maxItems');
  return range && `${range} items`;
}

/** Returns undefined for the limits of safe integers, because they tell a reader nothing. */
function numberOf(value: unknown): number | undefined {
  const tells = typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return tells ? value : undefined;
}

function joined(...parts: unknown[]): string {
  return parts.filter((part) => typeof part === 'string').join(', ');
}
