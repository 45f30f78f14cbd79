import type { JsonSchema } from '../../decorators/author-schema.js';
import { enumValues, isJsonScalar, typeOfValues } from './enum-values.js';
import { jsonPatternOf } from './json-pattern.js';

type Keywords = (constraints: readonly unknown[], warn: (fact: string) => void) => JsonSchema;

const STRING: JsonSchema = { type: 'string' };
const NUMBER: JsonSchema = { type: 'number' };
const ARRAY: JsonSchema = { type: 'array' };

/**
 * JSON Schema keywords for class-validator's rules, by recorded name. The keywords are never
 * stricter than the rule: the schema accepts every value that the route accepts.
 */
const KEYWORDS: Readonly<Record<string, Keywords>> = {
  isString: () => STRING,
  isInt: () => ({ type: 'integer' }),
  isNumber: () => NUMBER,
  isBoolean: () => ({ type: 'boolean' }),
  isBooleanString: () => ({ type: 'string', enum: ['true', 'false', '1', '0'] }),
  isNumberString: ([options]) =>
    options === undefined ? { type: 'string', pattern: '^[+-]?([0-9]*[.])?[0-9]+$' } : STRING,
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string', format: 'date-time' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isRFC3339: () => ({ type: 'string', format: 'date-time' }),
  isObject: () => ({ type: 'object' }),
  isNotEmptyObject: () => ({ type: 'object' }),
  isEnum: ([entity]) => among(enumValues(entity)),
  isIn: ([values]) => among(enumValues(values)),
  isNotIn: ([values]) => noneOf(enumValues(values)),
  equals: ([value]) => (isJsonScalar(value) ? { const: value } : {}),
  // `@NotEquals(null)` is expressed by a type without "null".
  notEquals: ([value]) => (isJsonScalar(value) && value !== null ? { not: { const: value } } : {}),
  isJson: () => ({ type: 'string', contentMediaType: 'application/json' }),
  min: ([least]) => ({ type: 'number', ...finite('minimum', least) }),
  max: ([most]) => ({ type: 'number', ...finite('maximum', most) }),
  isPositive: () => ({ type: 'number', exclusiveMinimum: 0 }),
  isNegative: () => ({ type: 'number', exclusiveMaximum: 0 }),
  isDivisibleBy: ([divisor]) => ({ type: 'number', ...multipleOf(divisor) }),
  isLength: ([least, most]) => ({
    type: 'string',
    ...size('minLength', least),
    ...size('maxLength', most),
  }),
  minLength: ([least]) => ({ type: 'string', ...size('minLength', least) }),
  maxLength: ([most]) => ({ type: 'string', ...size('maxLength', most) }),
  matches: ([expression, modifiers], warn) => {
    const result = jsonPatternOf(expression, modifiers);
    if ('pattern' in result) return { type: 'string', pattern: result.pattern };
    warn(`the pattern ${String(expression)} is not published: ${result.refused}`);
    return STRING;
  },
  contains: ([part]) =>
    typeof part === 'string' ? { type: 'string', pattern: escaped(part) } : STRING,
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isMongoId: () => ({ type: 'string', pattern: '^[0-9a-fA-F]{24}$' }),
  isIp: ([version]) => {
    if (version === undefined)
      return { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] };
    return { type: 'string', format: version === '6' || version === 6 ? 'ipv6' : 'ipv4' };
  },
  isArray: () => ARRAY,
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayMinSize: ([least]) => ({ type: 'array', ...size('minItems', least) }),
  arrayMaxSize: ([most]) => ({ type: 'array', ...size('maxItems', most) }),
  arrayUnique: () => ({ type: 'array', uniqueItems: true }),
  arrayContains: () => ARRAY,
  arrayNotContains: () => ARRAY,
};

/** Validators that accept only strings. Their rules have no simple JSON Schema keyword. */
const STRINGS_ONLY = new Set([
  'isAlpha',
  'isAlphanumeric',
  'isAscii',
  'isBIC',
  'isBase32',
  'isBase58',
  'isBase64',
  'isBtcAddress',
  'isByteLength',
  'isCreditCard',
  'isCurrency',
  'isDataURI',
  'isDecimal',
  'isEAN',
  'isEthereumAddress',
  'IsFirebasePushId',
  'isFqdn',
  'isFullWidth',
  'isHSL',
  'isHalfWidth',
  'isHash',
  'isHexColor',
  'isHexadecimal',
  'isIBAN',
  'isISO31661Alpha2',
  'isISO31661Alpha3',
  'isISO4217CurrencyCode',
  'isISO6391',
  'isISRC',
  'isISSN',
  'isIdentityCard',
  'isIsbn',
  'isIsin',
  'isJwt',
  'isLatLong',
  'isLocale',
  'isLowercase',
  'isMacAddress',
  'isMagnetURI',
  'isMilitaryTime',
  'isMimeType',
  'isMobilePhone',
  'isMultibyte',
  'isOctal',
  'isPassportNumber',
  'isPhoneNumber',
  'isPort',
  'isPostalCode',
  'isRgbColor',
  'isSemVer',
  'isStrongPassword',
  'isSurrogatePair',
  'isTaxId',
  'isTimeZone',
  'isUppercase',
  'isVariableWidth',
  'notContains',
]);

/** Validators that reject a missing value and have no JSON Schema keyword. */
const PRESENCE_ONLY = new Set([
  'isDefined',
  'isNotEmpty',
  'isInstance',
  'isLatitude',
  'isLongitude',
  'minDate',
  'maxDate',
]);

/** Returns the keywords of one validator; empty for a custom validator. */
export function keywordsOf(
  name: string,
  constraints: readonly unknown[],
  warn: (fact: string) => void,
): JsonSchema {
  if (STRINGS_ONLY.has(name)) return STRING;
  return Object.hasOwn(KEYWORDS, name) ? (KEYWORDS[name]?.(constraints, warn) ?? {}) : {};
}

/** Returns true if a validator rejects `undefined`, which makes the property required. */
export function refusesAbsence(name: string, constraints: readonly unknown[]): boolean {
  if (name === 'isNotIn' || name === 'notEquals') return false;
  if (name === 'equals') return constraints[0] !== undefined;
  if (name === 'isIn')
    return !(Array.isArray(constraints[0]) && constraints[0].includes(undefined));
  return PRESENCE_ONLY.has(name) || STRINGS_ONLY.has(name) || Object.hasOwn(KEYWORDS, name);
}

/** Returns true if a validator explicitly rejects null: `@NotEquals(null)`, `@IsNotIn([null])`. */
export function refusesNull(name: string, constraints: readonly unknown[]): boolean {
  if (name === 'notEquals') return constraints[0] === null;
  return name === 'isNotIn' && enumValues(constraints[0]).includes(null);
}

function among(values: readonly unknown[]): JsonSchema {
  return values.length === 0 ? {} : { ...typeOfValues(values), enum: values };
}

function noneOf(all: readonly unknown[]): JsonSchema {
  const values = all.filter((value) => value !== null);
  return values.length === 0 ? {} : { not: { enum: values } };
}

function finite(keyword: string, value: unknown): JsonSchema {
  return Number.isFinite(value) ? { [keyword]: value } : {};
}

/**
 * Returns a size keyword. Sizes in JSON Schema are non-negative integers. A negative minimum has no
 * effect and is omitted.
 */
function size(keyword: string, value: unknown): JsonSchema {
  return Number.isInteger(value) && Number(value) >= 0 ? { [keyword]: value } : {};
}

/** Returns the `multipleOf` keyword. class-validator uses the integer part of the divisor. */
function multipleOf(divisor: unknown): JsonSchema {
  const whole = Math.abs(Math.trunc(Number(divisor)));
  return Number.isFinite(whole) && whole > 0 ? { multipleOf: whole } : {};
}

function escaped(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`);
}
