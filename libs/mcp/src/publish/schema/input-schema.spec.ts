import { describe, expect, it } from '@jest/globals';
import {
  Body,
  DefaultValuePipe,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Query,
} from '@nestjs/common';
import { ApiBody, ApiParam, ApiQuery } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsEmail,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { inputOf, routeOf } from '../../../test/schema-routes.js';
import { McpTool } from '../decorators/mcp-tool.decorator.js';
import { renamesOf } from './argument-names.js';
import type { OperationInput } from './operation-input.js';

enum Status {
  Open = 'open',
  Done = 'done',
}

class Assignee {
  @IsEmail() email!: string;
}

class CreateTask {
  @IsString() @MinLength(3) title!: string;
  @IsOptional() @IsInt() @Min(1) points?: number;
  @ValidateNested() @Type(() => Assignee) @IsOptional() assignee?: Assignee;
  @IsString({ each: true }) @ArrayMinSize(1) tags!: string[];
}

class ListTasks {
  @IsOptional() @IsInt() @Type(() => Number) page?: number;
  @IsOptional() @IsIn(['asc', 'desc']) order?: string;
}

class Comment {
  @IsString() text!: string;
  @ValidateNested({ each: true }) @Type(() => Comment) @IsOptional() replies?: Comment[];
}

class Update {
  @IsString() id!: string;
  @IsString() name!: string;
}

class Plain {
  title!: string;
}

class Things {
  none() {}
  create(@Body() _dto: CreateTask) {}
  list(@Query() _query: ListTasks) {}
  find(@Param('id', ParseIntPipe) _id: number) {}
  undeclared() {}
  update(@Param('id') _id: string, @Body() _dto: Update) {}
  notify(
    @Query('notify', new ParseBoolPipe({ optional: true })) _notify: boolean,
    @Body('title') _title: string,
  ) {}
  paged(
    @Query('page', new DefaultValuePipe(1), ParseIntPipe) _page: number,
    @Query('size', ParseIntPipe) _size: number,
    @Query('status', new ParseEnumPipe(Status, { optional: true })) _status: Status,
    @Query('ids', new ParseArrayPipe({ items: Number, optional: true })) _ids: number[],
    @Query('owner', new ParseUUIDPipe({ optional: true })) _owner: string,
    @Query('q') _q?: string,
  ) {}
  erased(@Body() _dto: { a: string } & { b: string }) {}
  plain(@Body() _dto: Plain) {}
  bulk(@Body(new ParseArrayPipe({ items: CreateTask })) _list: CreateTask[]) {}
  @ApiBody({ type: [CreateTask] }) documentedBulk(@Body() _list: CreateTask[]) {}
  names(@Body() _names: string[]) {}
  comment(@Body() _comment: Comment) {}
  clash(
    @Param('id') _id: string,
    @Query('id') _q: string,
    @Query('id__path') _other: string,
    @Body() _dto: Update,
  ) {}
  rejected(
    @Query('page[size]') _size: string,
    @Query('page_size') _other: string,
    @Query('ids[]') _ids: string,
    @Query('$top') _top: string,
    @Query('__proto__') _proto: string,
    @Query('größe') _umlaut: string,
    @Query('数') _number: string,
    @Query('x'.repeat(70)) _long: string,
    @Query('x'.repeat(71)) _longer: string,
    @Body('user.name') _name: string,
    @Body('@type') _type: string,
  ) {}
  @McpTool({
    description: 'With a rejected name',
    redact: ['page[size]'],
    examples: [{ description: 'one', args: { 'page[size]': 1 } }],
  })
  rejectedOptions(@Query('page[size]', ParseIntPipe) _size: number) {}
  @McpTool({
    description: 'By hand',
    inputSchema: {
      type: 'object',
      properties: { 'page[size]': { type: 'integer' }, deep: { properties: { 'a[b]': {} } } },
      required: ['page[size]'],
      anyOf: [{ properties: { $top: {} }, required: ['$top'] }, { properties: { page_size: {} } }],
      dependentRequired: { $top: ['page[size]'] },
    },
    examples: [{ description: 'one', args: { 'page[size]': 1 } }],
  })
  byHand(@Query() _query: Record<string, string>) {}
  @McpTool({
    description: 'By hand',
    inputSchema: {
      type: 'object',
      $ref: '#/$defs/A',
      properties: { inner: { $ref: '#/$defs/A' } },
      $defs: { A: { properties: { 'a[b]': {} } } },
    },
  })
  behindReference(@Query() _query: Record<string, string>) {}
  wholeClash(@Query('body') _q: string, @Body() _list: string[]) {}
  @ApiParam({ name: 'id', description: 'Number of the task', enum: ['1', '2'] })
  @ApiQuery({ name: 'q', description: 'Free text', required: false })
  @ApiQuery({ name: 'status', enum: Status, isArray: true, required: false })
  documented(@Param('id') _id: string, @Query() _query: Record<string, unknown>) {}
  @McpTool({ description: 'With examples', examples: [{ description: 'one', args: { id: 1 } }] })
  example(@Param('id', ParseIntPipe) _id: number) {}
}

const schemaOf = (input: OperationInput): Record<string, unknown> => input.schema;

describe('inputSchemaOf', () => {
  it('publishes a tool without arguments as an object that takes none', () => {
    const { input } = inputOf(routeOf(Things, 'none', 'GET'));
    expect(input).toEqual({
      schema: { type: 'object', properties: {}, additionalProperties: false },
      places: [],
      body: 'none',
    });
  });

  it('lays a body DTO open, nested classes in $defs', () => {
    const { input, warnings } = inputOf(routeOf(Things, 'create'));
    expect(input.schema).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', minLength: 3 },
        points: { type: ['integer', 'null'], minimum: 1 },
        assignee: { anyOf: [{ $ref: '#/$defs/Assignee' }, { type: 'null' }] },
        tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
      },
      required: ['title', 'tags'],
      additionalProperties: false,
      $defs: {
        Assignee: {
          type: 'object',
          properties: { email: { type: 'string', format: 'email' } },
          required: ['email'],
        },
      },
    });
    expect(input.body).toBe('fields');
    expect(warnings).toEqual([]);
  });

  it('publishes a query DTO with types, not text, and no null a query could not carry', () => {
    const { input } = inputOf(routeOf(Things, 'list', 'GET'));
    expect(input).toEqual({
      schema: {
        type: 'object',
        properties: { page: { type: 'integer' }, order: { type: 'string', enum: ['asc', 'desc'] } },
        additionalProperties: false,
      },
      places: [
        { argument: 'page', target: 'query', name: 'page' },
        { argument: 'order', target: 'query', name: 'order' },
      ],
      body: 'none',
    });
  });

  it('types path parameters by their pipe and asks for those no @Param reads', () => {
    expect(inputOf(routeOf(Things, 'find', 'GET', '/things/:id')).input.schema).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    });
    expect(inputOf(routeOf(Things, 'undeclared', 'GET', '/files/*path')).input.schema).toEqual({
      type: 'object',
      properties: { path: { type: 'string', minLength: 1 } },
      required: ['path'],
      additionalProperties: false,
    });
  });

  it('keeps query parameters of a POST route out of the body', () => {
    const { input } = inputOf(routeOf(Things, 'notify'));
    expect(input.places).toEqual([
      { argument: 'notify', target: 'query', name: 'notify' },
      { argument: 'title', target: 'body', name: 'title' },
    ]);
    expect(schemaOf(input)['required']).toBeUndefined();
  });

  it('reads Nest parse pipes', () => {
    expect(inputOf(routeOf(Things, 'paged', 'GET')).input.schema).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer', default: 1 },
        size: { type: 'integer' },
        status: { type: 'string', enum: ['open', 'done'] },
        ids: { type: 'array', items: { type: 'number' } },
        owner: { type: 'string', format: 'uuid' },
        q: { type: 'string' },
      },
      required: ['size'],
      additionalProperties: false,
    });
  });

  it.each(['erased', 'plain'] as const)(
    'warns once of a body nothing is known about: %s',
    (method) => {
      const { input, warnings } = inputOf(routeOf(Things, method));
      expect(input).toEqual({
        schema: {
          type: 'object',
          properties: { body: { type: 'object' } },
          additionalProperties: false,
        },
        places: [{ argument: 'body', target: 'body', name: 'body' }],
        body: 'whole',
      });
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`Things.${method}, parameter 0 (@Body())`);
      expect(warnings[0]).toContain('@Body({ schema })');
    },
  );

  it.each(['bulk', 'documentedBulk'] as const)(
    'publishes an array body as one argument: %s',
    (method) => {
      const { input } = inputOf(routeOf(Things, method));
      expect(input.body).toBe('whole');
      expect(schemaOf(input)['required']).toEqual(['body']);
      expect(schemaOf(input)['properties']).toEqual({
        body: { type: 'array', items: { $ref: '#/$defs/CreateTask' } },
      });
      expect(Object.keys(schemaOf(input)['$defs'] as object)).toEqual(['CreateTask', 'Assignee']);
    },
  );

  it('says what the items of any array are', () => {
    const { input, warnings } = inputOf(routeOf(Things, 'names'));
    expect(schemaOf(input)['properties']).toEqual({ body: { type: 'array', items: {} } });
    expect(warnings).toEqual([expect.stringContaining('new ParseArrayPipe({ items: Item })')]);
  });

  it('knows nothing of an enum that the compiler emits as the type', () => {
    class Things {
      find(@Param('status') _status: string, @Query('role') _role: string) {}
      @ApiQuery({ name: 'role', enum: Status }) documented(@Query('role') _role: string) {}
    }
    // For an imported enum, swc and oxc emit the enum itself.
    for (const name of ['find', 'documented']) {
      Reflect.defineMetadata('design:paramtypes', [Status, Status], Things.prototype, name);
    }

    const { input, warnings } = inputOf(routeOf(Things, 'find', 'GET', '/things/:status'));
    expect(input.schema['properties']).toEqual({
      status: { type: 'string', minLength: 1 },
      role: {},
    });
    expect(warnings).toEqual([
      expect.stringContaining('the type of this parameter is unknown at run time'),
    ]);
    expect(inputOf(routeOf(Things, 'documented', 'GET')).input.schema['properties']).toEqual({
      role: { type: 'string', enum: ['open', 'done'] },
    });
  });

  it('refers a recursive DTO to itself', () => {
    const comment = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        replies: { type: ['array', 'null'], items: { $ref: '#/$defs/Comment' } },
      },
      required: ['text'],
    };
    expect(inputOf(routeOf(Things, 'comment')).input.schema).toEqual({
      ...comment,
      additionalProperties: false,
      $defs: { Comment: comment },
    });
  });

  it('gives clashing names a suffix, the body keeps the plain one', () => {
    const { input, warnings } = inputOf(routeOf(Things, 'clash', 'PUT', '/things/:id'));
    expect(input.places).toEqual([
      { argument: 'id__path', target: 'path', name: 'id' },
      { argument: 'id__query', target: 'query', name: 'id' },
      { argument: 'id__path__query', target: 'query', name: 'id__path' },
      { argument: 'id', target: 'body', name: 'id' },
      { argument: 'name', target: 'body', name: 'name' },
    ]);
    expect(warnings).toEqual([]);
    expect(renamesOf(input)).toHaveLength(3);
    expect(renamesOf(input)[0]).toBe(
      'the path parameter "id" is published as the argument "id__path", because another argument already has this name',
    );
    expect(inputOf(routeOf(Things, 'wholeClash')).input.places).toEqual([
      { argument: 'body__query', target: 'query', name: 'body' },
      { argument: 'body', target: 'body', name: 'body' },
    ]);
  });

  it('replaces names that clients reject', () => {
    const { input } = inputOf(routeOf(Things, 'rejected'));
    expect(input.places.map(({ argument, name }) => [argument, name])).toEqual([
      ['page_size__query', 'page[size]'],
      ['page_size', 'page_size'],
      ['ids', 'ids[]'],
      ['top', '$top'],
      ['proto', '__proto__'],
      ['gr_e', 'größe'],
      ['argument', '数'],
      ['x'.repeat(64), 'x'.repeat(70)],
      [`${'x'.repeat(57)}__query`, 'x'.repeat(71)],
      ['user.name', 'user.name'],
      ['type', '@type'],
    ]);
    expect(Object.keys(schemaOf(input)['properties'] as object)).toEqual(
      input.places.map(({ argument }) => argument),
    );
    expect(renamesOf(input)[0]).toBe(
      'the query parameter "page[size]" is published as the argument "page_size__query", because clients reject the original name',
    );
  });

  it('replaces rejected names in examples, and in a schema written by hand', () => {
    const { input } = inputOf(routeOf(Things, 'rejectedOptions', 'GET'));
    expect(schemaOf(input)['examples']).toEqual([{ page_size: 1 }]);

    const byHand = inputOf(routeOf(Things, 'byHand', 'GET'));
    expect(byHand.input.places).toEqual([
      { argument: 'page_size__query', target: 'query', name: 'page[size]' },
      { argument: 'deep', target: 'query', name: 'deep' },
      { argument: 'top', target: 'query', name: '$top' },
      { argument: 'page_size', target: 'query', name: 'page_size' },
    ]);
    expect(schemaOf(byHand.input)).toEqual({
      type: 'object',
      properties: {
        page_size__query: { type: 'integer' },
        deep: { properties: { 'a[b]': {} } },
        top: {},
        page_size: {},
      },
      required: ['page_size__query'],
      dependentRequired: { top: ['page_size__query'] },
      examples: [{ page_size__query: 1 }],
    });
    expect(byHand.input.accepted).toMatchObject({
      anyOf: [{ properties: { top: {} }, required: ['top'] }, { properties: { page_size: {} } }],
    });
    expect(byHand.warnings).toEqual([expect.stringContaining('has anyOf at its root')]);
  });

  it('replaces a rejected name behind a reference, and keeps what else refers there', () => {
    const { input } = inputOf(routeOf(Things, 'behindReference', 'GET'));
    expect(input.places).toEqual([
      { argument: 'inner', target: 'query', name: 'inner' },
      { argument: 'a_b', target: 'query', name: 'a[b]' },
    ]);
    expect(schemaOf(input)).toMatchObject({
      properties: { inner: { $ref: '#/$defs/A' }, a_b: {} },
      $defs: { A: { properties: { 'a[b]': {} } } },
    });
  });

  it('takes descriptions, enumerations and whole parameters from @nestjs/swagger', () => {
    const { input, warnings } = inputOf(routeOf(Things, 'documented', 'GET', '/things/:id'));
    expect(schemaOf(input)['properties']).toEqual({
      id: { type: 'string', description: 'Number of the task', enum: ['1', '2'] },
      q: { description: 'Free text' },
      status: { type: 'array', items: { type: 'string', enum: ['open', 'done'] } },
    });
    expect(schemaOf(input)['required']).toEqual(['id']);
    expect(warnings).toEqual([]);
  });

  it('publishes the arguments of examples', () => {
    expect(
      schemaOf(inputOf(routeOf(Things, 'example', 'GET', '/things/:id')).input)['examples'],
    ).toEqual([{ id: 1 }]);
  });

  it('is deeply frozen, shared with nobody and the same to the byte each time', () => {
    const [first, second] = [
      inputOf(routeOf(Things, 'create')).input,
      inputOf(routeOf(Things, 'create')).input,
    ];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    const objects = new Set<unknown>();
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      objects.add(value);
      Object.values(value).forEach(visit);
    };
    visit(first);
    const size = objects.size;
    visit(second);
    expect(objects.size).toBe(size * 2);
  });
});
