import { beforeAll, describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import type { Type as Class } from '@nestjs/common';
import { plainToInstance, Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import { createArgumentValidator } from './argument-validator.js';
import { classSchemaOf } from '../schema/sources/class-schema.js';
import { Definitions } from '../schema/definitions.js';
import { schemaScope } from '../schema/sources/type-schema.js';

/** A property to build: its compiler type and the decorators on it. */
interface PropertyPlan {
  readonly designType: unknown;
  readonly decorators: readonly PropertyDecorator[];
}

const bound = fc.integer({ min: -5, max: 8 });
const some = (decorator: PropertyDecorator) => fc.constant(decorator);
const each = fc.constantFrom(undefined, { each: true });

const textRule: fc.Arbitrary<PropertyDecorator> = fc.oneof(
  bound.map((n) => cv.MinLength(n)),
  bound.map((n) => cv.MaxLength(n)),
  fc.tuple(bound, bound).map(([from, to]) => cv.Length(from, to)),
  fc
    .constantFrom(/^a/, /b$/u, /^[\w.\-@]+$/, /^x$/i, /^.$/s, /\d{2}/g)
    .map((pattern) => cv.Matches(pattern)),
  fc.constantFrom('a.', '(', '\\').map((part) => cv.Contains(part)),
  fc.constantFrom(
    cv.IsString(),
    cv.IsEmail(),
    cv.IsUrl(),
    cv.IsUUID(),
    cv.IsISO8601(),
    cv.IsDateString(),
    cv.IsIP(),
    cv.IsIP(6),
    cv.IsNumberString(),
    cv.IsBooleanString(),
    cv.IsNotEmpty(),
    cv.IsAlpha(),
    cv.IsMongoId(),
    cv.NotContains('q'),
  ),
  fc.array(fc.string(), { minLength: 1 }).map((values) => cv.IsIn(values)),
  fc.array(fc.string()).map((values) => cv.IsNotIn(values)),
  fc.string().map((value) => cv.NotEquals(value)),
);
const numberRule: fc.Arbitrary<PropertyDecorator> = fc.oneof(
  bound.map((n) => cv.Min(n)),
  bound.map((n) => cv.Max(n)),
  bound.map((n) => cv.IsDivisibleBy(n)),
  fc.constantFrom(cv.IsInt(), cv.IsNumber(), cv.IsPositive(), cv.IsNegative()),
  fc
    .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1 })
    .map((values) => cv.IsIn(values)),
);
const listRule: fc.Arbitrary<PropertyDecorator> = fc.oneof(
  bound.map((n) => cv.ArrayMinSize(n)),
  bound.map((n) => cv.ArrayMaxSize(n)),
  fc.constantFrom(cv.ArrayUnique(), cv.ArrayNotEmpty(), cv.IsArray()),
  each.map((option) => cv.IsNotEmpty(option)),
  fc.constantFrom(
    cv.IsString({ each: true }),
    cv.IsInt({ each: true }),
    cv.Min(0, { each: true }),
    cv.IsObject({ each: true }),
  ),
);

class Nested {
  @cv.IsString() @cv.MinLength(1) name!: string;
  @cv.IsOptional() @cv.ValidateNested() @Type(() => Nested) inner?: Nested;
}

const withOptional = (rules: fc.Arbitrary<readonly PropertyDecorator[]>) =>
  fc
    .tuple(rules, fc.constantFrom([], [cv.IsOptional()]))
    .map(([all, optional]) => [...all, ...optional]);
const rulesOf = (rule: fc.Arbitrary<PropertyDecorator>) =>
  withOptional(fc.array(rule, { minLength: 1, maxLength: 3 }));

const property: fc.Arbitrary<PropertyPlan> = fc.oneof(
  rulesOf(textRule).map((decorators) => ({ designType: String, decorators })),
  rulesOf(numberRule).map((decorators) => ({ designType: Number, decorators })),
  rulesOf(fc.oneof(some(cv.IsBoolean()), some(cv.IsDefined()), some(cv.NotEquals(true)))).map(
    (decorators) => ({ designType: Boolean, decorators }),
  ),
  // Without a rule that asks for an array, `each` also takes a single value: not what `T[]` declares.
  rulesOf(listRule).map((decorators) => ({
    designType: Array,
    decorators: [...decorators, cv.IsArray()],
  })),
  fc
    .constantFrom(
      [cv.ValidateNested(), Type(() => Nested)],
      [cv.ValidateNested(), Type(() => Nested), cv.IsOptional()],
    )
    .map((decorators) => ({ designType: Nested, decorators })),
  fc.constant({
    designType: Array,
    decorators: [cv.IsArray(), cv.ValidateNested({ each: true }), Type(() => Nested)],
  }),
);

const nestedValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.record(
    { name: fc.string(), inner: fc.option(tie('value'), { depthSize: 'small' }) },
    { requiredKeys: [] },
  ),
})).value;
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.emailAddress(),
  fc.webUrl(),
  fc.uuid(),
  fc.ipV4(),
  fc.ipV6(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    'example.com',
    '2020-W01',
    '2020-01-01',
    '+002020',
    'ü@example.com',
    '"a b"@x.org',
    'true',
    '1',
    '-.5',
    'fe80::1%eth0',
    '❤️❤️',
    'ab',
    'x',
    'a.',
    '',
  ),
);
const scalar = fc.oneof(
  text,
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer({ min: -9, max: 9 }),
  fc.boolean(),
  fc.constant(null),
);
/** Values near to what each type declares; of other types only what class-validator lets through by design. */
function valueFor({ designType }: PropertyPlan): fc.Arbitrary<unknown> {
  if (designType === Nested) return fc.option(nestedValue);
  if (designType === Array)
    return fc.oneof(
      fc.array(fc.oneof(scalar, nestedValue)),
      fc.array(fc.string()),
      fc.array(nestedValue),
      fc.constant(null),
    );
  if (designType === String) return fc.option(text);
  if (designType === Number)
    return fc.option(
      fc.oneof(
        fc.integer({ min: -9, max: 9 }),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
      ),
    );
  return fc.option(fc.boolean());
}

const dtoAndValue = fc
  .dictionary(fc.constantFrom('a', 'b', 'constructor_', 'toJSON'), property, {
    minKeys: 1,
    maxKeys: 2,
  })
  .chain((plan) =>
    fc.tuple(
      fc.constant(plan),
      fc.record(Object.fromEntries(Object.entries(plan).map(([name, p]) => [name, valueFor(p)])), {
        requiredKeys: [],
      }),
    ),
  );

function classOf(plan: Readonly<Record<string, PropertyPlan>>): Class {
  class Dto {}
  for (const [name, { designType, decorators }] of Object.entries(plan)) {
    Reflect.defineMetadata('design:type', designType, Dto.prototype, name);
    for (const decorate of decorators) decorate(Dto.prototype, name);
  }
  return Dto;
}

describe('the schema of a class-validator DTO', () => {
  let validatorOf: Awaited<ReturnType<typeof createArgumentValidator>>;
  beforeAll(async () => {
    validatorOf = await createArgumentValidator();
  });

  it('takes every value the validators take', () => {
    let taken = 0;
    fc.assert(
      fc.property(dtoAndValue, ([plan, value]) => {
        const type = classOf(plan);
        if (cv.validateSync(plainToInstance(type, value) as object).length > 0) return;
        taken++;
        const definitions = new Definitions();
        const schema =
          classSchemaOf(
            type,
            schemaScope(definitions, 'carried', 'Dto', () => undefined),
          ) ?? {};
        const faults = validatorOf({ ...schema, $defs: definitions.neededBy(schema) })(value);
        expect({ faults, schema, value }).toEqual({ faults: undefined, schema, value });
      }),
      { numRuns: 1_500 },
    );
    // The property would hold of values that are all refused.
    expect(taken).toBeGreaterThan(50);
  });
});
