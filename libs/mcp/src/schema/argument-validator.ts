import type { AnySchema, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../decorators/tool.metadata.js';
import { LOOSE_FORMATS, STRICT_FORMATS } from './argument-formats.js';
import { faultSentence } from './argument-fault.js';
import { isRecord, without } from './json-schema.js';
import { withoutNulls } from './omitted-arguments.js';
import { allDistinct } from './distinct-items.js';

/** Says what is wrong with the arguments of a call; undefined where nothing is. */
export type ArgumentValidator = (args: unknown) => string | undefined;

/** @param omittedIfNull arguments whose null is their absence */
export type ArgumentValidatorCompiler = (
  schema: JsonSchema,
  omittedIfNull?: ReadonlySet<string>,
) => ArgumentValidator;

/** A caller that sends thousands of faults learns from the first ones. */
const MOST_FAULTS = 10;

/** Keywords that judge the arguments together, and would hide the fault of a single one. */
const TOGETHER = [
  'required',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'propertyNames',
  'unevaluatedProperties',
  'additionalProperties',
  '$ref',
  '$dynamicRef',
] as const;

/**
 * Loads ajv and gives a compiler of argument validators. A validator is compiled on its first call,
 * and throws for no input: too deep, too large or with keys like `__proto__`, an argument is at most
 * refused.
 *
 * Faults are found one argument at a time. ajv's `allErrors` would copy its list of faults at every
 * reference, which takes quadratic time on a large refused input.
 */
export async function createArgumentValidator(): Promise<ArgumentValidatorCompiler> {
  const [{ Ajv2020 }, formats] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    validateSchema: false,
    addUsedSchema: false,
    multipleOfPrecision: 9,
    code: { regExp: tolerantRegExp },
  });
  formats.default.default(ajv, [...STRICT_FORMATS]);
  for (const [name, validate] of Object.entries(LOOSE_FORMATS)) ajv.addFormat(name, validate);
  // ajv compares every item with every other.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: allDistinct,
    error: { message: 'must NOT have duplicate items' },
  });
  const compile = (schema: JsonSchema): ValidateFunction => ajv.compile(schema as AnySchema);
  return (schema, omittedIfNull = new Set()) => {
    const validate = argumentValidator(schema, compile);
    return (args) => validate(withoutNulls(args, omittedIfNull));
  };
}

function argumentValidator(
  schema: JsonSchema,
  compile: (schema: JsonSchema) => ValidateFunction,
): ArgumentValidator {
  let whole: ValidateFunction | undefined;
  let single: ValidateFunction | undefined;
  return (args = {}) => {
    whole ??= compile(schema);
    try {
      if (whole(args)) return undefined;
      const [first] = whole.errors ?? [];
      if (!isRecord(args)) return 'The arguments must be an object.';
      single ??= compile(without(schema, ...TOGETHER));
      return sentences(faultsOf(args, schema, single), first);
    } catch (error) {
      if (error instanceof RangeError) return 'The arguments are nested too deeply.';
      throw error;
    }
  };
}

/** Faults argument by argument: missing, unknown, then the first in each value. */
function* faultsOf(
  args: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  single: ValidateFunction,
): Generator<string> {
  const required = schema['required'];
  for (const name of Array.isArray(required) ? (required as string[]) : []) {
    if (!Object.hasOwn(args, name))
      yield faultSentence({
        keyword: 'required',
        instancePath: '',
        params: { missingProperty: name },
      });
  }
  const known = isRecord(schema['properties']) ? schema['properties'] : {};
  const closed =
    schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
  for (const name of Object.keys(args)) {
    if (closed && !Object.hasOwn(known, name)) {
      yield faultSentence({
        keyword: 'additionalProperties',
        instancePath: '',
        params: { additionalProperty: name },
      });
    } else if (!single({ [name]: args[name] })) {
      const [fault] = single.errors ?? [];
      if (fault !== undefined) yield faultSentence(fault);
    }
  }
}

function sentences(faults: Iterable<string>, first: ErrorObject | undefined): string {
  const told: string[] = [];
  for (const fault of faults) {
    if (told.length === MOST_FAULTS) return `${told.join('; ')}; and more.`;
    told.push(fault);
  }
  if (told.length === 0 && first !== undefined) told.push(faultSentence(first));
  return `${told.join('; ') || 'The arguments do not match the input schema'}.`;
}

/** JSON Schema asks for Unicode mode; a hand-written pattern may only be valid without. */
function tolerantRegExp(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return new RegExp(pattern);
  }
}
tolerantRegExp.code = 'tolerantRegExp';
