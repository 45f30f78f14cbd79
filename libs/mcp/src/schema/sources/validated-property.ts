import type { JsonSchema } from '../../decorators/author-schema.js';
import type { ValidatorMetadata } from './class-properties.js';
import { loosened } from '../json-schema.js';
import { keywordsOf, refusesAbsence, refusesNull } from './validator-keywords.js';

/** What the validators of one property say together. */
export interface ValidatedProperty {
  /** Keywords of the value itself. */
  readonly value: JsonSchema;
  /** Keywords of its items (`{ each: true }`); undefined where no validator looks at items. */
  readonly items: JsonSchema | undefined;
  /** `unknown`: no validator minds a missing value, and none says that it may be missing. */
  readonly presence: 'required' | 'optional' | 'unknown';
  /** Whether the empty string is refused. */
  readonly notEmpty: boolean;
  /** Whether null is taken: by `@IsOptional`, `@ValidateIf`, or because no rule minds it. */
  readonly nullable: boolean;
  /** Whether `@ValidateIf` makes all the rules hold only sometimes. */
  readonly conditional: boolean;
}

/**
 * Reads the validators of one property.
 *
 * A rule that holds only sometimes must not refuse what the route takes the rest of the time, and
 * which groups a pipe will ask for is not known here. So a conditional rule tells the kind of value,
 * never its range (`loosened`), nor that it is required.
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
    presence: presenceOf(maySkip.length > 0, required, rules.some(isConditional)),
    notEmpty: firm.some((rule) => nameOf(rule) === 'isNotEmpty' && rule.each !== true),
    nullable: conditions.length > 0 || (rules.length > 0 && !required && !isNested && !notNull),
    conditional: conditions.some(({ name }) => name !== 'isOptional'),
  };
}

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
 * Whether a `@ValidateIf` says no more than "may be missing": what `PartialType(Dto, {
 * skipNullProperties: false })` of the mapped types puts on every property. All other rules then hold.
 */
function skipsUndefinedOnly({ name, constraints }: ValidatorMetadata): boolean {
  const [condition] = constraints ?? [];
  return (
    name !== 'isOptional' &&
    typeof condition === 'function' &&
    /^\(\w+, (\w+)\) => \1 !== undefined$/.test(String(condition))
  );
}

function isConditional(rule: ValidatorMetadata): boolean {
  return rule.validateIf !== undefined || (rule.always !== true && (rule.groups?.length ?? 0) > 0);
}

function ofWholeArray(rule: ValidatorMetadata): boolean {
  return rule.type !== 'customValidation' && rule.type !== 'nestedValidation';
}

function nameOf(rule: ValidatorMetadata): string {
  return rule.type === 'isDefined' ? 'isDefined' : (rule.name ?? '');
}

/** Two rules at once. A bound takes the narrower; what cannot be one keyword stands in `allOf`. */
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

/** The narrower of two types; where they exclude each other both, for a refusal is the route's to give. */
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
