import { describe, expect, it } from '@jest/globals';
import {
  IntersectionType as SwaggerIntersection,
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  PartialType as SwaggerPartial,
} from '@nestjs/swagger';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import type { Type as Class } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsBooleanString,
  IsDate,
  IsDateString,
  IsDefined,
  IsDivisibleBy,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsIP,
  IsISO8601,
  IsJSON,
  IsNegative,
  IsNotEmpty,
  IsNotIn,
  IsNumber,
  IsNumberString,
  IsObject,
  IsOptional,
  IsPositive,
  IsString,
  IsUrl,
  IsUUID,
  Length,
  Matches,
  Max,
  NotEquals,
  MaxLength,
  Min,
  MinLength,
  Validate,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { classSchemaOf } from './class-schema.js';
import { Definitions } from '../definitions.js';
import { schemaScope } from './type-schema.js';

function described(type: Class): {
  properties: Record<string, unknown>;
  required: unknown;
  $defs: Record<string, unknown>;
  warnings: string[];
} {
  const warnings: string[] = [];
  const definitions = new Definitions();
  const scope = schemaScope(definitions, 'carried', 'Things.create', (warning) =>
    warnings.push(warning),
  );
  const schema = classSchemaOf(type, scope) ?? {};
  return {
    properties: schema['properties'] as Record<string, unknown>,
    required: schema['required'],
    $defs: definitions.neededBy(schema),
    warnings,
  };
}

enum Level {
  Low,
  High,
}
enum Role {
  Admin = 'admin',
  User = 'user',
}

class Validators {
  @IsString() string!: string;
  @IsInt() int!: number;
  @IsNumber() number!: number;
  @IsBoolean() boolean!: boolean;
  @IsNumberString() numberString!: string;
  @IsBooleanString() booleanString!: string;
  @IsDate() @Type(() => Date) date!: Date;
  @IsDateString() dateString!: string;
  @IsISO8601() iso!: string;
  @IsEnum(Role) role!: Role;
  @IsEnum(Level) level!: Level;
  @IsIn([1, 2.5]) in!: number;
  @IsNotIn(['x']) notIn!: string;
  @Equals('v1') equals!: string;
  @Min(1) @Max(5) range!: number;
  @IsInt() @IsPositive() positive!: number;
  @IsNegative() negative!: number;
  @IsDivisibleBy(5) divisible!: number;
  @Length(2, 4) length!: string;
  @MinLength(2) @MaxLength(4) lengths!: string;
  @Matches(/^[a-z\-@]+$/) matches!: string;
  @Matches(/^[a-z]+$/i) matchesAnyCase!: string;
  @IsEmail() email!: string;
  @IsUrl() url!: string;
  @IsUUID('4') uuid!: string;
  @IsIP() ip!: string;
  @IsIP(4) ip4!: string;
  @IsArray() array!: unknown[];
  @ArrayNotEmpty() @ArrayMaxSize(3) @ArrayUnique() @IsString({ each: true }) tags!: string[];
  @ArrayUnique() @IsObject({ each: true }) objects!: object[];
  @IsObject() object!: object;
  @IsNotEmpty() notEmpty!: string;
  @IsString({ each: true }) either!: string | string[];
}

describe('class-validator', () => {
  const { properties, required, warnings } = described(Validators);

  it.each<[keyof Validators, unknown]>([
    ['string', { type: 'string' }],
    ['int', { type: 'integer' }],
    ['number', { type: 'number' }],
    ['boolean', { type: 'boolean' }],
    ['numberString', { type: 'string', pattern: '^[+-]?([0-9]*[.])?[0-9]+$' }],
    ['booleanString', { type: 'string', enum: ['true', 'false', '1', '0'] }],
    ['date', { type: 'string', format: 'date-time' }],
    ['dateString', { type: 'string', format: 'date-time' }],
    ['iso', { type: 'string', format: 'date-time' }],
    ['role', { type: 'string', enum: ['admin', 'user'] }],
    ['level', { type: 'integer', enum: [0, 1] }],
    ['in', { type: 'number', enum: [1, 2.5] }],
    ['notIn', { type: ['string', 'null'], not: { enum: ['x'] } }],
    ['equals', { const: 'v1' }],
    ['range', { type: 'number', minimum: 1, maximum: 5 }],
    ['positive', { type: 'integer', exclusiveMinimum: 0 }],
    ['negative', { type: 'number', exclusiveMaximum: 0 }],
    ['divisible', { type: 'number', multipleOf: 5 }],
    ['length', { type: 'string', minLength: 2, maxLength: 4 }],
    ['lengths', { type: 'string', minLength: 2, maxLength: 4 }],
    ['matches', { type: 'string', pattern: '^[a-z\\u002d@]+$' }],
    ['matchesAnyCase', { type: 'string' }],
    ['email', { type: 'string', format: 'email' }],
    ['url', { type: 'string', format: 'uri' }],
    ['uuid', { type: 'string', format: 'uuid' }],
    ['ip', { type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }],
    ['ip4', { type: 'string', format: 'ipv4' }],
    ['array', { type: 'array', items: {} }],
    [
      'tags',
      { type: 'array', minItems: 1, maxItems: 3, uniqueItems: true, items: { type: 'string' } },
    ],
    ['objects', { type: 'array', items: { type: 'object' } }],
    ['object', { type: 'object' }],
    ['notEmpty', { type: 'string', minLength: 1 }],
    ['either', { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }],
  ])('maps %s', (name, schema) => {
    expect(properties[name]).toEqual(schema);
  });

  it('requires what a validator refuses to miss', () => {
    expect(required).toEqual(Object.keys(properties).filter((name) => name !== 'notIn'));
  });

  it('warns of a pattern JSON Schema cannot say, once', () => {
    expect(warnings).toEqual([
      'Things.create: Validators.matchesAnyCase: the pattern /^[a-z]+$/i is not published: JSON Schema does not support the flag "i".',
    ]);
  });

  it('leaves out what only holds sometimes, and keeps the kind of value', () => {
    class Sometimes {
      @ValidateIf(() => true) @IsString() @MinLength(3) condition!: string;
      @IsString({ groups: ['create'] }) @MinLength(3, { groups: ['create'] }) grouped!: string;
      @IsString() @MinLength(3, { groups: ['create'] }) partly!: string;
      @IsString({ groups: ['create'], always: true }) always!: string;
      @IsEnum(Role, { validateIf: () => false }) role!: Role;
      @IsOptional({ groups: ['update'] }) @IsString() optionalSometimes!: string;
    }
    const schema = described(Sometimes);
    expect(schema.properties).toEqual({
      condition: { type: ['string', 'null'] },
      grouped: { type: ['string', 'null'] },
      partly: { type: 'string' },
      always: { type: 'string' },
      role: { type: ['string', 'null'], examples: ['admin', 'user'] },
      optionalSometimes: { type: ['string', 'null'] },
    });
    expect(schema.required).toEqual(['partly', 'always']);
  });

  it('asks nothing of a value whose validators would take its absence', () => {
    class Never {
      validate() {
        return false;
      }
    }
    class Custom {
      @Validate(Never) custom!: string;
      @ValidateNested() @Type(() => Validators) nested!: Validators;
      @Allow() allowed!: number;
      @IsDefined() defined!: string;
    }
    const { required: asked, properties: found } = described(Custom);
    expect(asked).toEqual(['defined']);
    expect(found['allowed']).toEqual({ type: 'number' });
    expect(found['custom']).toEqual({ type: ['string', 'null'] });
  });

  it('does not require what an initialiser fills in', () => {
    class Page {
      @IsInt() @Min(1) page: number = 1;
      @IsString({ each: true }) tags: string[] = [];
      @Type(() => Date) @IsDate() since: Date = new Date(0);
    }
    expect(described(Page).required).toBeUndefined();
    expect(described(Page).properties).toEqual({
      page: { type: 'integer', minimum: 1, default: 1 },
      tags: { type: 'array', items: { type: 'string' }, default: [] },
      since: { type: 'string', format: 'date-time' },
    });
  });

  it('says nothing about a class without decorators', () => {
    class Silent {
      name!: string;
    }
    expect(described(Silent).properties).toBeUndefined();
  });
});

describe('validators that need few words', () => {
  it('publishes no value for a null that is refused, and takes none', () => {
    class Person {
      @NotEquals(null) any!: unknown;
      @NotEquals(null) @IsString() name!: string;
      @NotEquals(null) @IsOptional() @IsString() nickname?: string;
      @IsNotIn([null, 'root']) @ApiProperty({ type: String }) login!: string;
    }
    expect(described(Person).properties).toEqual({
      any: {},
      name: { type: 'string' },
      nickname: { type: ['string', 'null'] },
      login: { type: 'string', not: { enum: ['root'] } },
    });
  });

  it('says that a text holds JSON', () => {
    class Settings {
      @IsJSON() raw!: string;
    }
    expect(described(Settings).properties).toEqual({
      raw: { type: 'string', contentMediaType: 'application/json' },
    });
  });

  it('tells bounds behind a transformation in words, after what is documented', () => {
    class Page {
      @ApiProperty({ description: 'Rows of a page.' })
      @Transform(({ value }) => Number(value))
      @IsInt()
      @Min(1)
      @Max(100)
      size!: number;
    }
    expect(described(Page).properties).toEqual({
      size: {
        type: ['integer', 'string'],
        description: 'Rows of a page. After conversion: minimum 1, maximum 100.',
      },
    });
  });
});

describe('class-transformer', () => {
  it('publishes what comes in: exposed names, no excluded ones, text where a transformation reads it', () => {
    class Incoming {
      @Expose({ name: 'user_id' }) @IsString() userId!: string;
      @Exclude() @IsOptional() @IsString() secret?: string;
      @Transform(({ value }: { value: string }) => value.trim()) @Length(3, 5) trimmed!: string;
      @Transform(({ value }) => value === 'true') @IsBoolean() flag!: boolean;
      @Transform(({ value }: { value: string }) => value.split(','))
      @IsEnum(Role, { each: true })
      roles!: Role[];
    }
    expect(described(Incoming).properties).toEqual({
      user_id: { type: 'string' },
      trimmed: { type: 'string', description: 'After conversion: minLength 3, maxLength 5.' },
      flag: { type: ['boolean', 'string'] },
      roles: { type: ['array', 'string'], items: { type: 'string', examples: ['admin', 'user'] } },
    });
  });

  it('publishes the subtypes of a discriminated property', () => {
    class Shape {
      @IsString() kind!: string;
    }
    class Circle extends Shape {
      @IsNumber() radius!: number;
    }
    class Square extends Shape {
      @IsNumber() side!: number;
    }
    class Drawing {
      @ValidateNested()
      @Type(() => Shape, {
        keepDiscriminatorProperty: true,
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'circle', value: Circle },
            { name: 'square', value: Square },
          ],
        },
      })
      shape!: Shape;
    }
    class Documented extends Drawing {
      @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Circle) }, { $ref: getSchemaPath(Square) }] })
      declare shape: Shape;
    }
    expect(described(Documented).properties).toEqual(described(Drawing).properties);
    expect(described(Drawing).properties['shape']).toEqual({
      anyOf: [
        {
          $ref: '#/$defs/Circle',
          properties: { kind: { const: 'circle', readOnly: false } },
          required: ['kind'],
        },
        {
          $ref: '#/$defs/Square',
          properties: { kind: { const: 'square', readOnly: false } },
          required: ['kind'],
        },
      ],
    });
  });
});

describe('nested classes', () => {
  it('are the values of a Map, and the items of a Set', () => {
    class Price {
      @IsNumber() amount!: number;
    }
    class Product {
      @ValidateNested() @Type(() => Price) prices!: Map<string, Price>;
      @ValidateNested() @Type(() => Price) @IsOptional() older?: Set<Price>;
    }

    expect(described(Product).properties).toEqual({
      prices: { type: 'object', additionalProperties: { $ref: '#/$defs/Price' } },
      older: { type: ['array', 'null'], items: { $ref: '#/$defs/Price' } },
    });
  });

  it('stand in $defs once, recursive ones too', () => {
    class Author {
      @IsString() name!: string;
      @ValidateNested({ each: true }) @Type(() => Post) @IsOptional() posts?: unknown[];
    }
    class Post {
      @ValidateNested() @Type(() => Author) @IsDefined() author!: Author;
      @ValidateNested() @Type(() => Author) editor!: Author;
      @ValidateNested({ each: true }) @Type(() => Post) comments!: unknown[];
    }
    const { properties, $defs } = described(Post);
    expect(properties).toEqual({
      author: { $ref: '#/$defs/Author' },
      editor: { $ref: '#/$defs/Author' },
      comments: { type: 'array', items: { $ref: '#/$defs/Post' } },
    });
    expect(Object.keys($defs)).toEqual(['Author', 'Post']);
  });

  it('keep apart two classes of one name', () => {
    const address = (property: string): Class => {
      class Address {}
      IsString()(Address.prototype, property);
      return Address;
    };
    const [home, work] = [address('street'), address('box')];
    class Person {
      @ValidateNested() @Type(() => home) home!: object;
      @ValidateNested() @Type(() => work) work!: object;
    }
    const { properties, $defs } = described(Person);
    expect(properties).toEqual({
      home: { $ref: '#/$defs/Address' },
      work: { $ref: '#/$defs/Address_2' },
    });
    expect(Object.keys($defs)).toEqual(['Address', 'Address_2']);
  });
});

class Person {
  @IsString() @MinLength(1) name!: string;
  @IsEmail() email!: string;
  @IsOptional() @IsInt() age?: number;
}
class Stamp {
  @IsUUID() key!: string;
}

describe('inheritance and mapped types', () => {
  it('takes inherited validators, and lets a subclass decide anew', () => {
    class Renamed extends Person {
      @IsInt() declare name: never;
    }
    const { properties } = described(Renamed);
    expect(Object.keys(properties).sort()).toEqual(['age', 'email', 'name']);
    expect(properties['name']).toMatchObject({ type: 'integer' });
  });

  it.each([
    ['@nestjs/mapped-types', PartialType(Person)],
    ['@nestjs/swagger', SwaggerPartial(Person)],
  ])('PartialType of %s makes all optional', (_, type) => {
    expect(described(type).required).toBeUndefined();
    expect(described(type).properties).toMatchObject({
      name: { type: ['string', 'null'], minLength: 1 },
    });
  });

  it('keeps the rules where `@ValidateIf` only lets a property be absent', () => {
    class Change {
      @ValidateIf((_, value) => value !== undefined) @IsString() @MinLength(3) title?: string;
      @ValidateIf((_, $) => void 0 !== $) @IsString() @MinLength(3) minified?: string;
    }
    const rules = { type: 'string', minLength: 3 };
    expect(described(Change)).toMatchObject({ properties: { title: rules, minified: rules } });
    expect(described(Change).required).toBeUndefined();
  });

  it('loosens the rules where `@ValidateIf` looks at anything else', () => {
    class Change {
      kind?: string;
      @ValidateIf((_, value) => value !== null) @IsString() @MinLength(3) notNull?: string;
      @ValidateIf((_, value) => Boolean(value)) @IsString() @MinLength(3) filled?: string;
      @ValidateIf(({ kind }, value) => value !== undefined && kind === undefined)
      @IsString()
      @MinLength(3)
      other?: string;
      @ValidateIf((object, value) => value !== undefined && !('kind' in object))
      @IsString()
      @MinLength(3)
      alone?: string;
      @ValidateIf(({ kind }) => kind!.length > 3) @IsString() @MinLength(3) throwing?: string;
      @ValidateIf(() => true) @IsString() @MinLength(3) always?: string;
    }
    const { properties } = described(Change);
    for (const name of ['notNull', 'filled', 'other', 'alone', 'throwing', 'always']) {
      expect(properties[name]).not.toHaveProperty('minLength');
    }
  });

  it('PartialType without nulls keeps every rule but that a value must be there', () => {
    const { required, properties } = described(PartialType(Person, { skipNullProperties: false }));
    expect(required).toBeUndefined();
    expect(properties).toMatchObject({ name: { type: 'string', minLength: 1 } });
  });

  it('PickType, OmitType and IntersectionType', () => {
    expect(Object.keys(described(PickType(Person, ['name'])).properties)).toEqual(['name']);
    expect(Object.keys(described(OmitType(Person, ['name'])).properties)).toEqual(['email', 'age']);
    for (const intersection of [
      IntersectionType(Person, Stamp),
      SwaggerIntersection(Person, Stamp),
    ]) {
      expect(described(intersection).required).toEqual(['name', 'email', 'key']);
    }
  });
});

describe('@nestjs/swagger', () => {
  class Cat {
    @ApiProperty() name!: string;
  }
  class Dog {
    @ApiPropertyOptional({ description: 'How loud' }) bark?: number;
  }
  @ApiExtraModels(Cat, Dog)
  class Documented {
    @ApiProperty({ description: 'Title', example: 'Buy milk', minLength: 2, default: 'x' })
    title!: string;
    @ApiProperty({ enum: Role, description: 'Role' }) role!: Role;
    @ApiProperty({ enum: Role, isArray: true }) roles!: Role[];
    @ApiProperty({ type: () => [Cat] }) cats!: Cat[];
    @ApiProperty({ type: () => Cat, nullable: true, description: 'Favourite' }) cat!: Cat | null;
    @ApiProperty({ oneOf: [{ $ref: getSchemaPath(Cat) }, { $ref: getSchemaPath(Dog) }] }) pet!:
      | Cat
      | Dog;
    @ApiProperty({ type: 'object', additionalProperties: { type: 'number' } }) scores!: Record<
      string,
      number
    >;
    @ApiProperty({ minimum: 0, exclusiveMinimum: true, type: 'integer', format: 'int32' })
    count!: number;
    @ApiPropertyOptional({ type: [Number], maxItems: 3 }) sizes?: number[];
    @ApiProperty({ required: false }) at?: Date;
    @ApiProperty({ description: 'Checked', type: Number }) @IsInt() @Min(3) checked!: number;
    @ApiProperty({ description: 'Tags' }) @IsString({ each: true }) tags!: string[];
  }

  it('documents, and asserts where no validator does', () => {
    const { properties, required, $defs } = described(Documented);
    expect(properties).toEqual({
      title: {
        type: 'string',
        description: 'Title',
        default: 'x',
        minLength: 2,
        examples: ['Buy milk'],
      },
      role: { type: 'string', enum: ['admin', 'user'], description: 'Role' },
      roles: { type: 'array', items: { type: 'string', enum: ['admin', 'user'] } },
      cats: { type: 'array', items: { $ref: '#/$defs/Cat' } },
      cat: { description: 'Favourite', anyOf: [{ $ref: '#/$defs/Cat' }, { type: 'null' }] },
      pet: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
      scores: { type: 'object', additionalProperties: { type: 'number' } },
      count: { type: 'integer', format: 'int32', minimum: 0, exclusiveMinimum: 0 },
      sizes: { type: 'array', items: { type: 'number' }, maxItems: 3 },
      at: { type: 'string', format: 'date-time' },
      checked: { type: 'integer', description: 'Checked', minimum: 3 },
      tags: { type: 'array', items: { type: 'string' }, description: 'Tags' },
    });
    expect(required).toEqual([
      'checked',
      'tags',
      'title',
      'role',
      'roles',
      'cats',
      'cat',
      'pet',
      'scores',
      'count',
    ]);
    expect($defs['Dog']).toEqual({
      type: 'object',
      properties: { bark: { type: 'number', description: 'How loud' } },
    });
  });

  it('reads what the CLI plugin emitted', () => {
    class Plugged {
      @IsString() name!: string;
      static _OPENAPI_METADATA_FACTORY() {
        return {
          name: { required: true, type: () => String, description: 'From a comment' },
          nick: { required: false, type: () => String, maxLength: 5 },
        };
      }
    }
    expect(described(Plugged).properties).toEqual({
      name: { type: 'string', description: 'From a comment' },
      nick: { type: 'string', maxLength: 5 },
    });
    expect(described(Plugged).required).toEqual(['name']);
  });

  it('prefers the rules of validators to keywords that the CLI plugin derives from them', () => {
    class Plugged {
      @Matches(/^[a-z]+$/i) slug!: string;
      @IsPositive() gain!: number;
      @IsNegative() loss!: number;
      @Min(5, { groups: ['strict'] }) grouped!: number;
      @ApiProperty({ minimum: 3 }) @IsPositive() documented!: number;
      @MaxLength(5) @MinLength(3, { groups: ['strict'] }) text!: string;
      @IsString() free!: string;
      static _OPENAPI_METADATA_FACTORY() {
        return {
          slug: { required: true, type: () => String, pattern: '/^[a-z]+$/i' },
          gain: { required: true, type: () => Number, minimum: 1 },
          loss: { required: true, type: () => Number, maximum: -1 },
          grouped: { required: true, type: () => Number, minimum: 5 },
          documented: { required: true, type: () => Number, minimum: 1 },
          text: { required: true, type: () => String, minLength: 3, maxLength: 5 },
          free: { required: true, type: () => String, minLength: 2 },
        };
      }
    }
    expect(described(Plugged).properties).toEqual({
      slug: { type: 'string' },
      gain: { type: 'number', exclusiveMinimum: 0 },
      loss: { type: 'number', exclusiveMaximum: 0 },
      grouped: { type: ['number', 'null'] },
      documented: { type: 'number', exclusiveMinimum: 0 },
      text: { type: 'string', maxLength: 5 },
      free: { type: 'string', minLength: 2 },
    });
  });
});
