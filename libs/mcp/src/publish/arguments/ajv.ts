import type { AnySchema, FuncKeywordDefinition, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../decorators/author-schema.js';

/** Compiles a JSON Schema (2020-12). */
export type Compile = (schema: JsonSchema) => ValidateFunction;

/**
 * Loads ajv with settings for arguments. This ajv accepts every schema. No check takes quadratic
 * time.
 */
export async function loadAjv(): Promise<Compile> {
  const [{ Ajv2020 }, formats] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    verbose: true,
    ownProperties: true,
    validateSchema: false,
    addUsedSchema: false,
    multipleOfPrecision: 9,
    code: { regExp: tolerantRegExp },
  });
  formats.default.default(ajv, [...STRICT_FORMATS]);
  for (const [name, validate] of Object.entries(LOOSE_FORMATS)) ajv.addFormat(name, validate);
  for (const keyword of OWN_KEYWORDS) ajv.removeKeyword(keyword.keyword).addKeyword(keyword);
  // Fails at startup if Node.js runs with --disallow-code-generation-from-strings.
  ajv.compile({});
  return (schema) => ajv.compile(schema as AnySchema);
}

/**
 * Formats that are checked less strictly than their RFCs. In 2020-12, `format` is an annotation,
 * and validators of routes accept more than the RFCs: class-validator accepts `example.com` as a
 * URL, `2020-W01` as a date-time and `ü@example.com` as an address. The route may accept such a
 * value, so only clear mismatches are errors.
 */
const LOOSE_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[\s\S]*[^@]@[^\s@]+>?$/.test(text),
  'idn-email': (text) => /^[\s\S]*[^@]@[^\s@]+>?$/.test(text),
  uri: (text) => /^\S+$/.test(text),
  'uri-reference': (text) => /^\S*$/.test(text),
  'date-time': (text) =>
    /^[+-]?\d{4}[\dTWZtwz:.,+\s-]*$/.test(text) || !Number.isNaN(Date.parse(text)),
  ipv6: (text) =>
    /^[\da-f:.]*(%[\da-z.]+)?$/i.test(text) && text.indexOf(':') < text.lastIndexOf(':'),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  time: (text) => /\d/.test(text),
  duration: (text) => /\d/.test(text),
};

/** Formats that are checked as ajv-formats defines them. Other formats are not checked. */
const STRICT_FORMATS = ['ipv4', 'uuid', 'json-pointer', 'regex'] as const;

/** Keywords that are checked in another way than ajv checks them. */
const OWN_KEYWORDS: readonly (FuncKeywordDefinition & { readonly keyword: string })[] = [
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    // ajv's own check takes quadratic time, because it compares every item with all others.
    validate: allDistinct,
    error: { message: 'must NOT have duplicate items' },
  },
  // Validators of routes count characters in different ways, so these checks use the shortest and
  // the longest count.
  {
    keyword: 'maxLength',
    before: 'pattern',
    type: 'string',
    schemaType: 'number',
    // A character has at most 3 code units, so a much longer string is rejected without counting.
    validate: (most: number, text: string) =>
      text.length <= most || (text.length <= 3 * most && shortestLength(text) <= most),
    error: { message: ({ schema }) => `must NOT have more than ${schema} characters` },
  },
  {
    keyword: 'minLength',
    before: 'pattern',
    type: 'string',
    schemaType: 'number',
    validate: (least: number, text: string) => text.length >= least,
    error: { message: ({ schema }) => `must NOT have fewer than ${schema} characters` },
  },
];

/** Counts code points without variation selectors, as class-validator does. */
function shortestLength(text: string): number {
  return text.replace(/[^\ufe0e\ufe0f][\ufe0e\ufe0f]?/gu, '.').length;
}

/** Returns true if the items of a list are distinct as JSON. Takes linear time. */
function allDistinct(asked: boolean, items: readonly unknown[]): boolean {
  return !asked || new Set(items.map(canonical)).size === items.length;
}

/**
 * Converts equal values to equal strings: object keys are sorted, and strings differ from numbers.
 */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/**
 * Compiles a pattern in Unicode mode, as JSON Schema requires. Some hand-written patterns are
 * invalid in Unicode mode. Such patterns are compiled without Unicode mode.
 */
function tolerantRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
tolerantRegExp.code = 'tolerantRegExp';
