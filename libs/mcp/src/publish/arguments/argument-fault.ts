import { isObject } from '@fledge-internal/options';
import type { JsonSchema } from '../decorators/author-schema.js';

/** The fields of an ajv error that are used in messages to the caller. */
export interface ArgumentFault {
  readonly keyword: string;
  /** JSON Pointer to the value, such as `/assignee/email`. Empty for the arguments object. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  /** The value of the keyword in the schema. */
  readonly schema?: unknown;
  /** The value that does not match. */
  readonly data?: unknown;
}

/**
 * Returns the error to report. If a property such as `kind` selects the variant of a union, reports
 * its allowed values, or else the error of the selected variant.
 */
export function reportedFault(faults: readonly ArgumentFault[]): ArgumentFault | undefined {
  const at = faults.findIndex((fault) => tagOf(fault) !== undefined);
  const union = faults[at];
  const tag = union && tagOf(union);
  if (!tag || !isObject(union.data)) return faults[0];
  const { data, instancePath } = union;
  if (!Object.hasOwn(data, tag.name))
    return { keyword: 'required', instancePath, params: { missingProperty: tag.name } };
  const chosen = tag.values.indexOf(data[tag.name]);
  if (chosen < 0) {
    const params = { allowedValues: tag.values };
    return { keyword: 'enum', instancePath: `${instancePath}/${tag.name}`, params };
  }
  // Each variant has one error, unless a variant contains a union.
  return faults[at === tag.values.length ? chosen : 0];
}

/** Returns the property that has another constant in each variant of a union. */
function tagOf({
  keyword,
  schema,
}: ArgumentFault): { readonly name: string; readonly values: readonly unknown[] } | undefined {
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return undefined;
  const all = (schema as readonly JsonSchema[]).map(({ properties }) =>
    isObject(properties) ? properties : {},
  );
  for (const name of Object.keys(all[0] ?? {})) {
    const values = all.map(({ [name]: tag }) => (isObject(tag) ? tag['const'] : undefined));
    if (!values.includes(undefined)) return { name, values };
  }
  return undefined;
}

/**
 * Maximum characters of a name or path in a message, because callers may send names of any length.
 */
const LONGEST_NAME = 120;

const MOST_VALUES = 20;

/** Describes one error: `Missing argument "id"`, `/email must match format "email"`. */
export function faultSentence(fault: ArgumentFault): string {
  const { keyword, instancePath, params, message } = fault;
  const isTop = instancePath === '';
  const path = shortened(instancePath);
  switch (keyword) {
    case 'required': {
      const name = quoted(params['missingProperty']);
      return isTop ? `Missing argument ${name}` : `${path} must have the property ${name}`;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = quoted(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return isTop ? `Unknown argument ${name}` : `${path} has the unknown property ${name}`;
    }
    case 'enum': {
      return `${subject(path)} must be one of ${listed(params['allowedValues'])}`;
    }
    case 'not': {
      const { const: value, enum: values = value === undefined ? undefined : [value] } =
        fault.schema as JsonSchema;
      return `${subject(path)} ${values ? `must not be ${listed(values)}` : (message ?? 'is not valid')}`;
    }
    case 'const':
      return `${subject(path)} must be ${quoted(params['allowedValue'])}`;
    case 'minimum':
    case 'maximum':
      return Math.abs(Number(params['limit'])) === Number.MAX_SAFE_INTEGER
        ? `${subject(path)} is beyond ${Number.MAX_SAFE_INTEGER}. Larger JSON numbers lose digits`
        : `${subject(path)} ${message ?? 'is not valid'}`;
    default:
      return `${subject(path)} ${message ?? 'is not valid'}`;
  }
}

function subject(path: string): string {
  return path === '' ? 'The arguments' : path;
}

function listed(values: unknown): string {
  const all = Array.isArray(values) ? (values as unknown[]) : [];
  const told = all.slice(0, MOST_VALUES).map(quoted).join(', ');
  return `${told}${all.length > MOST_VALUES ? ', ...' : ''}`;
}

function quoted(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'undefined');
}

function shortened(text: string): string {
  return text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME)}...`;
}
