import { describe, expect, it } from '@jest/globals';
import { Body, Param, type PipeTransform, Query } from '@nestjs/common';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { IsEmail, IsIn, IsOptional, IsString, MinLength, ValidateNested } from 'class-validator';
import { Type } from 'class-transformer';
import { createZodDto, ZodValidationPipe } from 'nestjs-zod';
import * as v from 'valibot';
import { z } from 'zod';
import * as zodMini from 'zod/mini';
import { z as z3 } from 'zod/v3';
import { inputOf, routeOf } from '../../../../test/schema-routes.js';
import { outputSchemaOf } from '../output-schema.js';
import type { JsonSchema } from '../../decorators/author-schema.js';
import { convertedSchema } from './standard-json-schema.js';

const zodTask = z.object({
  title: z.string().min(3),
  points: z.number().optional(),
  order: z.enum(['asc', 'desc']),
  tags: z.array(z.string()),
  owner: z.object({ name: z.string() }),
});
const valibotTask = toStandardJsonSchema(
  v.object({
    title: v.pipe(v.string(), v.minLength(3)),
    points: v.optional(v.number()),
    order: v.picklist(['asc', 'desc']),
    tags: v.array(v.string()),
    owner: v.object({ name: v.string() }),
  }),
);

const Category = z.object({
  name: z.string(),
  get children() {
    return z.array(Category);
  },
});
class TaskDto extends createZodDto(zodTask) {}
class CategoryDto extends createZodDto(Category) {}

/** The pipe Nest's documentation shows. */
class SchemaPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}
  transform(value: unknown): unknown {
    return this.schema.parse(value);
  }
}

class Owner {
  @IsString() name!: string;
}
class TaskClass {
  @IsString() @MinLength(3) title!: string;
  @IsIn(['asc', 'desc']) order!: string;
  @IsString({ each: true }) tags!: string[];
  @ValidateNested() @Type(() => Owner) @IsOptional() owner?: Owner;
}
class Mixed {
  @ValidateNested() @Type(() => TaskDto) task!: TaskDto;
  @IsEmail() email!: string;
}

class Tasks {
  zod(@Body({ schema: zodTask }) _body: z.infer<typeof zodTask>) {}
  valibot(@Body({ schema: valibotTask }) _body: unknown) {}
  dto(@Body() _body: TaskDto) {}
  zodPipe(@Body(new ZodValidationPipe(TaskDto)) _body: unknown) {}
  docsPipe(@Body(new SchemaPipe(zodTask)) _body: unknown) {}
  classes(@Body() _body: TaskClass) {}
  mixed(@Body() _body: Mixed) {}
  recursive(@Body({ schema: Category }) _body: unknown) {}
  recursiveDto(@Body() _body: CategoryDto) {}
  recursiveTwice(
    @Query('filter', { schema: Category }) _filter: unknown,
    @Body({ schema: Category }) _body: unknown,
  ) {}
  union(
    @Body({
      schema: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('a') }),
        z.object({ kind: z.literal('b'), n: z.number() }),
      ]),
    })
    _body: unknown,
  ) {}
  unionQuery(
    @Query({
      schema: z.union([
        z.object({ a: z.string(), n: z.string() }),
        z.object({ a: z.string(), n: z.number() }),
      ]),
    })
    _query: unknown,
  ) {}
  record(@Body({ schema: z.record(z.string(), z.number()) }) _body: unknown) {}
  loose(@Body({ schema: z.looseObject({ a: z.string() }) }) _body: unknown) {}
  list(@Body({ schema: z.array(z.string()).optional() }) _body: unknown) {}
  date(
    @Body({ schema: z.object({ at: z.coerce.date(), n: z.string().transform(Number) }) })
    _body: unknown,
  ) {}
  query(
    @Query({ schema: z.object({ page: z.coerce.number().int().min(1).default(1) }) })
    _query: unknown,
  ) {}
  path(
    @Param({ schema: z.object({ id: z.uuid() }) }) _path: unknown,
    @Param('n', { schema: z.coerce.number() }) _n: number,
  ) {}
  named(
    @Body('title', { schema: z.string().min(1) }) _title: string,
    @Body('owner', { schema: zodTask.shape.owner.optional() }) _owner: unknown,
  ) {}
  identified(
    @Body({ schema: z.object({ a: z.string() }).meta({ id: 'Identified' }) }) _body: unknown,
  ) {}
  bareValibot(@Body({ schema: v.object({ a: v.string() }) }) _body: unknown) {}
  zod3(@Body({ schema: z3.object({ a: z3.string() }) }) _body: unknown) {}
  mini(@Body({ schema: zodMini.object({ a: zodMini.string() }) }) _body: unknown) {}
}

const inputOfMethod = (name: keyof Tasks) => inputOf(routeOf(Tasks, name));
const propertiesOf = (name: keyof Tasks): unknown => inputOfMethod(name).input.schema['properties'];

describe('a Standard Schema', () => {
  it('gives one schema for one shape, whatever the library and wherever it stands', () => {
    const { schema } = inputOfMethod('zod').input;
    expect(schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 3 },
        points: { type: 'number' },
        order: { type: 'string', enum: ['asc', 'desc'] },
        tags: { type: 'array', items: { type: 'string' } },
        owner: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      required: ['title', 'order', 'tags', 'owner'],
      additionalProperties: false,
    });
    for (const same of ['valibot', 'dto', 'zodPipe', 'docsPipe'] as const) {
      expect(inputOfMethod(same)).toEqual(inputOfMethod('zod'));
    }
    const classes = propertiesOf('classes') as Record<string, unknown>;
    const { title, order, tags } = schema['properties'] as Record<string, unknown>;
    expect(classes).toMatchObject({ title, order, tags });
  });

  it('of valibot converts with the package beside it', () => {
    expect(inputOfMethod('bareValibot').input.schema).toMatchObject({
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });

  it('may stand inside a class-validator DTO', () => {
    const { schema } = inputOfMethod('mixed').input;
    expect(schema['properties']).toMatchObject({ task: { $ref: '#/$defs/TaskDto' } });
    expect(schema['$defs']).toMatchObject({
      TaskDto: { type: 'object', properties: { title: { minLength: 3 } } },
    });
  });

  it('keeps referring to itself when it is laid open', () => {
    const children = { type: 'array', items: { $ref: '#/$defs/Body' } };
    expect(inputOfMethod('recursive').input.schema).toEqual({
      type: 'object',
      properties: { name: { type: 'string' }, children },
      required: ['name', 'children'],
      additionalProperties: false,
      $defs: {
        Body: {
          type: 'object',
          properties: { name: { type: 'string' }, children },
          required: ['name', 'children'],
        },
      },
    });
    expect(Object.keys(inputOfMethod('recursiveDto').input.schema['$defs'] as object)).toEqual([
      'CategoryDto',
    ]);
    const twice = inputOfMethod('recursiveTwice').input.schema;
    expect(Object.keys(twice['$defs'] as object)).toEqual(['Body', 'Body_2']);
  });

  it('lays open an object behind a root reference', () => {
    expect(inputOfMethod('identified').input.schema).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  it.each(['union', 'record', 'loose', 'list'] as const)(
    'stays whole where it is no list of properties: %s',
    (name) => {
      const { input } = inputOfMethod(name);
      expect(input.body).toBe('whole');
      expect(Object.keys(input.schema['properties'] as object)).toEqual(['body']);
      expect(input.schema['required']).toEqual(name === 'list' ? undefined : ['body']);
    },
  );

  it('lays open a union in the query, which has no other way to be sent', () => {
    const { input, warnings } = inputOfMethod('unionQuery');
    expect(input.schema['properties']).toEqual({
      a: { type: 'string' },
      n: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    });
    expect(warnings).toHaveLength(1);
  });

  it('publishes the input side, and any value for what JSON Schema cannot say', () => {
    const { input, warnings } = inputOfMethod('date');
    expect(input.schema['properties']).toEqual({ at: {}, n: { type: 'string' } });
    expect(warnings).toEqual([
      expect.stringContaining(
        'Tasks.date, parameter 0 (@Body()): parts of the zod schema cannot be converted and accept any value. The first part: Date',
      ),
    ]);
    expect(propertiesOf('query')).toMatchObject({
      page: { type: 'integer', minimum: 1, default: 1 },
    });
    expect(inputOfMethod('query').input.schema['required']).toBeUndefined();
  });

  it('types path parameters and single fields', () => {
    const { input } = inputOf(routeOf(Tasks, 'path', 'GET', '/tasks/:id/:n'));
    expect(input.schema['properties']).toMatchObject({
      id: { type: 'string', format: 'uuid' },
      n: { type: 'number' },
    });
    expect(input.schema['required']).toEqual(['id', 'n']);
    expect(inputOfMethod('named').input.schema).toMatchObject({
      properties: { title: { type: 'string', minLength: 1 }, owner: { type: 'object' } },
      required: ['title'],
    });
  });

  it.each([
    ['zod3', 'zod 4.2 or newer'],
    ['mini', 'not "zod/mini"'],
  ] as const)('fails at boot where it cannot be converted, naming the cure: %s', (name, cure) => {
    expect(() => inputOfMethod(name)).toThrow(cure);
    expect(() => inputOfMethod(name)).toThrow(`Tasks.${name}, parameter 0 (@Body())`);
  });
});

describe('outputSchemaOf', () => {
  it('converts the output side', () => {
    const schema = z.object({
      id: z.number().default(1),
      at: z.string().transform((text) => new Date(text)),
    });
    expect(outputSchemaOf(schema, 'Tasks.find')).toEqual({
      type: 'object',
      properties: { id: { type: 'number', default: 1 }, at: {} },
      required: ['id', 'at'],
      additionalProperties: false,
    });
  });

  it('keeps a JSON Schema as it stands', () => {
    const schema: JsonSchema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'array',
      items: { $ref: '#/$defs/T' },
      $defs: { T: {} },
    };
    const published = outputSchemaOf(schema, 'Tasks.list');
    expect(published).toEqual(schema);
    expect(published).not.toBe(schema);
    expect(Object.isFrozen(published['$defs'])).toBe(true);
    expect(Object.isFrozen(schema)).toBe(false);
  });

  it('refuses what is no schema', () => {
    expect(() => outputSchemaOf('object' as never, 'Tasks.list')).toThrow(
      'outputSchema of Tasks.list',
    );
  });
});

it('publishes no pattern that is stricter than z.ipv6()', () => {
  const schema = z.object({ ip: z.ipv6() });
  expect(schema.safeParse({ ip: '::ffff:1.2.3.4' }).success).toBe(true);
  const { properties } = convertedSchema(schema, 'input', 'here', () => undefined);
  expect(properties).toEqual({ ip: { type: 'string', format: 'ipv6' } });
});
