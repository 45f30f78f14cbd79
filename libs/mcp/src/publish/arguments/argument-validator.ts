import { isObject } from '@fledge-internal/options';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../decorators/author-schema.js';
import { type Compile, loadAjv } from './ajv.js';
import { type ArgumentFault, faultSentence, reportedFault } from './argument-fault.js';
import { without } from '../schema/json-schema.js';
import type { OperationInput } from '../schema/operation-input.js';

/** Checks the arguments of a call. Returns an error message, or undefined if they are valid. */
export type ArgumentValidator = (args: unknown) => string | undefined;

/** @param omittedIfNull names of arguments that are treated as absent if they are null */
export type ArgumentValidatorCompiler = (
  schema: JsonSchema,
  omittedIfNull?: ReadonlySet<string>,
) => ArgumentValidator;

/** Maximum number of errors in one message. */
const MOST_FAULTS = 10;

/**
 * Keywords that check all arguments together. Their errors would hide the errors of single
 * arguments.
 */
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
 * Loads ajv and returns a compiler of argument validators. A validator is compiled on its first
 * call. A validator never throws, even if the arguments are very deep, very large, or have keys
 * such as `__proto__`. Each argument is checked separately. Otherwise, ajv would need `allErrors`.
 * With `allErrors`, ajv copies its list of errors at every reference. This takes quadratic time for
 * a large invalid input.
 */
export async function createArgumentValidator(): Promise<ArgumentValidatorCompiler> {
  const compile = await loadAjv();
  return (schema, omittedIfNull = new Set()) => {
    const validate = argumentValidator(schema, compile);
    if (omittedIfNull.size === 0) return validate;
    return (args) => validate(withoutNulls(args, omittedIfNull));
  };
}

function argumentValidator(schema: JsonSchema, compile: Compile): ArgumentValidator {
  let whole: ValidateFunction | undefined;
  let single: ValidateFunction | undefined;
  return (args = {}) => {
    whole ??= compile(schema);
    try {
      if (whole(args)) return undefined;
      const first = reportedFault(whole.errors ?? []);
      if (!isObject(args)) return 'The arguments must be an object.';
      single ??= compile(without(schema, ...TOGETHER));
      return sentences(faultsOf(args, schema, single), first);
    } catch (error) {
      if (error instanceof RangeError) return 'The arguments are nested too deeply.';
      throw error;
    }
  };
}

/**
 * Yields the errors of missing arguments first. Then yields at most one error for each argument:
 * its first validation error, or an error for an unknown name.
 */
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
  const known = isObject(schema['properties']) ? schema['properties'] : {};
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
      const fault = reportedFault(single.errors ?? []);
      if (fault !== undefined) yield faultSentence(fault);
    }
  }
}

function sentences(faults: Iterable<string>, first: ArgumentFault | undefined): string {
  const told: string[] = [];
  for (const fault of faults) {
    if (told.length === MOST_FAULTS) return `${told.join('; ')}; and more.`;
    told.push(fault);
  }
  if (told.length === 0 && first !== undefined) told.push(faultSentence(first));
  return `${told.join('; ') || 'The arguments do not match the input schema'}.`;
}

/**
 * Returns the names of the optional query arguments. If such an argument is null, it is treated as
 * absent.
 */
export function omittedIfNull({ schema, places }: OperationInput): ReadonlySet<string> {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const optional = places.filter(
    ({ target, argument }) => target === 'query' && !required.includes(argument),
  );
  return new Set(optional.map(({ argument }) => argument));
}

/** Removes arguments that are null and listed in `omittedIfNull`. */
export function withoutNulls(args: unknown, omittedIfNull: ReadonlySet<string>): unknown {
  if (!isObject(args)) return args;
  const isOmitted = (name: string): boolean => Object.hasOwn(args, name) && args[name] === null;
  const omitted = [...omittedIfNull].filter(isOmitted);
  return omitted.length === 0 ? args : without(args, ...omitted);
}
