import type { Schema } from './checked-server.js';
import { isSchema, valuesIn } from './schema-walk.js';

const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

const isTexts = (value: unknown) =>
  Array.isArray(value) &&
  value.every((each) => typeof each === 'string') &&
  new Set(value).size === value.length;
const isSubschema = (value: unknown) => typeof value === 'boolean' || isSchema(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber = (value: unknown) => typeof value === 'number';
const isText = (value: unknown) => typeof value === 'string';
const isMap = (value: unknown) => isSchema(value) && Object.values(value).every(isSubschema);
const isList = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every(isSubschema);
const isPattern = (value: unknown) => {
  try {
    return isText(value) && new RegExp(value as string, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** For each keyword, tests whether JSON Schema draft-07 allows a value. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) =>
    Array.isArray(value)
      ? value.length > 0 && isTexts(value) && value.every((each) => TYPES.includes(each as string))
      : TYPES.includes(value as string),
  required: isTexts,
  enum: Array.isArray,
  properties: isMap,
  patternProperties: isMap,
  definitions: isMap,
  items: (value) => isSubschema(value) || isList(value),
  additionalProperties: isSubschema,
  anyOf: isList,
  oneOf: isList,
  allOf: isList,
  not: isSubschema,
  pattern: isPattern,
  format: isText,
  title: isText,
  description: isText,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => isNumber(value) && (value as number) > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
};

/** Lists the keywords with values that draft-07 does not allow, at any depth of a schema. */
export function draft07Fault(schema: Schema): string {
  return Object.entries(KEYWORDS)
    .filter(([keyword, fits]) => valuesIn(schema, keyword).some((value) => !fits(value)))
    .map(([keyword]) => keyword)
    .join(', ');
}
