import type { JsonSchema } from '../../decorators/author-schema.js';
import type { ValidatorMetadata } from './class-properties.js';
import { loosened } from '../json-schema.js';
import { keywordsOf, refusesAbsence, refusesNull } from './validator-keywords.js';

/** The combined rules of the validators of one property. */
export interface ValidatedProperty {
  /** Keywords that apply to the value itself. */
  readonly value: JsonSchema;
  /**
   * Keywords that apply to the items (`{ each: true }`). Undefined if no validator checks items.
   */
  readonly items: JsonSchema | undefined;
  /**
   * Keywords that only the validators may set, such as `pattern` for `@Matches`. The plugin of
   * `@nestjs/swagger` also sets these keywords, but with stricter values: it ignores the flags of a
   * pattern, the conditions of a rule, and numbers between 0 and 1 for `@IsPositive`.
   */
  readonly decided: readonly string[];
  /** `unknown`: missing values are not rejected, but the property is not marked as optional. */
  readonly presence: 'required' | 'optional' | 'unknown';
  /** True if the empty string is rejected. */
  readonly notEmpty: boolean;
  /**
   * True if null is accepted. Reasons are `@IsOptional`, `@ValidateIf`, or that no rule rejects
   * null.
   */
  readonly nullable: boolean;
  /** True if `@ValidateIf` makes all rules conditional. */
  readonly conditional: boolean;
}

/**
 * Combines the validators of one property. A conditional rule must not reject values that the route
 * accepts when the condition is false. So a conditional rule only defines the kind of value
 * (`loosened`). It does not limit the range, and does not make the property required. The same
 * applies to rules with validation groups, because the groups of the pipe are unknown here.
 */
export function validatedProperty(
  validators: readonly ValidatorMetadata[],
  warn: (fact: string) => void,
): ValidatedProperty {
  const maySkip = validators.filter(({ type }) => type === 'conditionalValidation');
  const conditions = maySkip.filter((condition) => !skipsUndefinedOnly(condition));
  const rules = validators.filter(
    ({ type }) => type === 'customValidation' || type === 'isDefined',
  );
  const firm = rules.filter((rule) => !isConditional(rule));
  const required = firm.some((rule) => refusesAbsence(nameOf(rule), rule.constraints ?? []));
  const notNull = firm.some((rule) => refusesNull(nameOf(rule), rule.constraints ?? []));
  const isNested = validators.some(({ type }) => type === 'nestedValidation');
  const each = validators.filter((rule) => rule.each === true && !ofWholeArray(rule));
  const keywords = (of: readonly ValidatorMetadata[]): JsonSchema =>
    of.map((rule) => keywordsOfRule(rule, warn)).reduce(both, {});
  return {
    value: keywords(rules.filter((rule) => !each.includes(rule))),
    items: each.length > 0 ? keywords(each) : undefined,
    decided: rules.flatMap((rule) => DECIDED[nameOf(rule)] ?? []),
    presence: presenceOf(maySkip.length > 0, required, rules.some(isConditional)),
    notEmpty: firm.some((rule) => nameOf(rule) === 'isNotEmpty' && rule.each !== true),
    nullable: conditions.length > 0 || (rules.length > 0 && !required && !isNested && !notNull),
    conditional: conditions.some(({ name }) => name !== 'isOptional'),
  };
}

const LOWER = ['minimum', 'exclusiveMinimum'];
const UPPER = ['maximum', 'exclusiveMaximum'];

const DECIDED: Readonly<Record<string, readonly string[]>> = {
  matches: ['pattern'],
  contains: ['pattern'],
  min: LOWER,
  isPositive: LOWER,
  max: UPPER,
  isNegative: UPPER,
  isLength: ['minLength', 'maxLength'],
  minLength: ['minLength'],
  maxLength: ['maxLength'],
  arrayNotEmpty: ['minItems'],
  arrayMinSize: ['minItems'],
  arrayMaxSize: ['maxItems'],
};

function keywordsOfRule(rule: ValidatorMetadata, warn: (fact: string) => void): JsonSchema {
  const keywords = keywordsOf(nameOf(rule), rule.constraints ?? [], warn);
  return isConditional(rule) ? loosened(keywords) : keywords;
}

function presenceOf(
  mayBeAbsent: boolean,
  required: boolean,
  grouped: boolean,
): ValidatedProperty['presence'] {
  if (mayBeAbsent) return 'optional';
  if (required) return 'required';
  return grouped ? 'optional' : 'unknown';
}

/**
 * Returns true if a `@ValidateIf` only makes a property optional. All other rules then apply.
 * `PartialType(Dto, { skipNullProperties: false })` of the mapped types adds such a condition to
 * every property.
 */
function skipsUndefinedOnly({ name, constraints }: ValidatorMetadata): boolean {
  const [condition] = constraints ?? [];
  if (name === 'isOptional' || typeof condition !== 'function') return false;
  let isRead = false;
  const object = new Proxy({}, { get: () => void (isRead = true), has: () => (isRead = true) });
  try {
    const applies = (value: unknown) =>
      Boolean(Reflect.apply(condition, undefined, [object, value]));
    return !applies(undefined) && OTHER_VALUES.every(applies) && !isRead;
  } catch {
    return false;
  }
}

/**
 * Sample values. If a condition is true for all of them and does not read the object, it probably
 * skips only undefined.
 */
const OTHER_VALUES: readonly unknown[] = [null, false, true, 0, 1, '', 'text', [], {}];

function isConditional(rule: ValidatorMetadata): boolean {
  return rule.validateIf !== undefined || (rule.always !== true && (rule.groups?.length ?? 0) > 0);
}

function ofWholeArray(rule: ValidatorMetadata): boolean {
  return rule.type !== 'customValidation' && rule.type !== 'nestedValidation';
}

function nameOf(rule: ValidatorMetadata): string {
  return rule.type === 'isDefined' ? 'isDefined' : (rule.name ?? '');
}

/**
 * Combines two rules. Uses the narrower bound. Keywords that cannot be merged are added to `allOf`.
 */
function both(left: JsonSchema, right: JsonSchema): JsonSchema {
  return Object.entries(right).reduce<JsonSchema>((merged, [keyword, value]) => {
    const present = merged[keyword];
    if (present === undefined || JSON.stringify(present) === JSON.stringify(value)) {
      return { ...merged, [keyword]: value };
    }
    if (keyword === 'type') return { ...merged, type: bothTypes(present, value) };
    if (typeof present === 'number' && typeof value === 'number') {
      if (/^(min|exclusiveMin)/.test(keyword))
        return { ...merged, [keyword]: Math.max(present, value) };
      if (/^(max|exclusiveMax)/.test(keyword))
        return { ...merged, [keyword]: Math.min(present, value) };
    }
    const others = Array.isArray(merged['allOf']) ? (merged['allOf'] as unknown[]) : [];
    return { ...merged, allOf: [...others, { [keyword]: value }] };
  }, left);
}

/**
 * Returns the narrower of two types. Returns both if they exclude each other, because the route
 * then rejects the value.
 */
function bothTypes(left: unknown, right: unknown): unknown {
  const [first, second] = [left, right].map((type) =>
    Array.isArray(type) ? (type as unknown[]) : [type],
  );
  const shared = (first ?? []).filter(
    (type) =>
      second?.includes(type) === true ||
      (type === 'integer' && second?.includes('number') === true),
  );
  if (first?.includes('number') === true && second?.includes('integer') === true)
    shared.push('integer');
  const result = [...new Set(shared.length > 0 ? shared : [...(first ?? []), ...(second ?? [])])];
  return result.length === 1 ? result[0] : result;
}
