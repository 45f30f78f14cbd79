// A query string carries text. What the application's own parser does not read is not published, and
// refused by name where it is given: dropped without a word it would widen the answer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Param,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiConsumes, ApiProperty, ApiQuery } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsObject, IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { type ConnectedClient, textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

class Filter {
  @IsOptional() @IsString() status?: string;
  @IsOptional() @IsString() owner?: string;
}

class ListQuery {
  @IsOptional() @ValidateNested() @Type(() => Filter) filter?: Filter;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Filter) any?: Filter[];
  @IsOptional() @IsString() q?: string;

  @ApiProperty({ type: String, required: false, description: 'A filter as JSON' })
  @IsOptional()
  @Transform(({ value }: { value: string }) => JSON.parse(value) as object)
  @IsObject()
  json?: object;
}

class Parsed {
  @IsString() status!: string;
}

const parsedFromText = { transform: (value: string) => JSON.parse(value) as unknown };

let seen: unknown[] = [];

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ name: 'list', description: 'x' })
  list(@Query(new ValidationPipe({ transform: true })) query: ListQuery) {
    seen.push(query);
    return query;
  }

  @Get('erased')
  @McpTool({ name: 'erased', description: 'x' })
  erased(@Query('x') x: unknown) {
    seen.push(x);
    return { x };
  }

  @Get('documented')
  @ApiQuery({ name: 'filter', type: String })
  @McpTool({ name: 'documented', description: 'x' })
  documented(@Query('filter', parsedFromText) filter: Parsed) {
    return filter;
  }

  @Get('written')
  @McpTool({
    name: 'written',
    description: 'x',
    inputSchema: {
      type: 'object',
      properties: { filter: { type: 'object' }, ids: { type: 'array' } },
    },
  })
  written(@Query('filter') filter: unknown, @Query('ids') ids: unknown) {
    seen.push(filter);
    return { filter, ids };
  }

  @Get('one/:id')
  @McpTool({ name: 'one', description: 'x' })
  one(@Param('id', parsedFromText) id: Parsed) {
    return id;
  }

  @Post('form')
  @ApiConsumes('application/x-www-form-urlencoded')
  @McpTool({
    name: 'form',
    description: 'x',
    inputSchema: { type: 'object', properties: { filter: { type: 'object' } } },
  })
  form(@Body() body: object) {
    return body;
  }
}

type Setup = readonly [
  name: string,
  adapter: () => AbstractHttpAdapter,
  main?: (app: INestApplication) => void,
];

const extended = (app: INestApplication) => {
  (app as unknown as { set(name: string, value: string): void }).set('query parser', 'extended');
};

/** The parser Express calls extended, for a Fastify application. */
function qs(text: string): Record<string, unknown> {
  const app = new ExpressAdapter().getInstance<{
    set(name: string, value: string): void;
    get(name: string): (text: string) => Record<string, unknown>;
  }>();
  app.set('query parser', 'extended');
  return app.get('query parser fn')(text);
}

const readTexts: Setup[] = platforms.map(({ name, adapter }) => [name, adapter]);
const readObjects: Setup[] = [
  ['Express, extended', () => new ExpressAdapter(), extended],
  [
    'Fastify, routerOptions.querystringParser',
    () => fastify({ routerOptions: { querystringParser: qs } }),
  ],
  ['Fastify, querystringParser', () => fastify({ querystringParser: qs })],
];

function fastify(options: object): FastifyAdapter {
  return new FastifyAdapter(options);
}

/** An application of that parser, its client and what it warned about. */
function started(adapter: () => AbstractHttpAdapter, main?: (app: INestApplication) => void) {
  const warnings: string[] = [];
  const state = {} as { running: RunningApp; client: ConnectedClient; warnings: string[] };
  beforeAll(async () => {
    state.warnings = warnings;
    state.running = await startApp(adapter(), {
      ...controllers(TasksController),
      main(app) {
        app.useLogger({ log() {}, error() {}, warn: (text: string) => warnings.push(text) });
        main?.(app);
      },
    });
    state.client = await state.running.connect();
  });
  afterAll(async () => {
    await state.client.leave();
    await state.running.close();
  });
  beforeEach(() => {
    seen = [];
  });
  return state;
}

async function propertiesOf(
  client: ConnectedClient,
  tool: string,
): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  return tools.find(({ name }) => name === tool)?.inputSchema.properties ?? {};
}

describe.each(readTexts)('a query parser that reads texts: %s', (_, adapter, main) => {
  const app = started(adapter, main);

  it('publishes what it reads, and not the objects', async () => {
    expect(await propertiesOf(app.client, 'list')).toEqual({
      q: { type: 'string' },
      json: { type: 'string', description: 'A filter as JSON' },
    });
    const items = { type: ['string', 'number', 'boolean'] };
    expect(await propertiesOf(app.client, 'erased')).toEqual({
      x: { type: ['string', 'number', 'boolean', 'array'], items },
    });
  });

  it.each([
    ['list', 'filter', { status: 'open' }],
    ['list', 'any', [{ status: 'open' }]],
    ['list', 'json', { status: 'open' }],
    ['erased', 'x', { status: 'open' }],
    ['erased', 'x', [['open']]],
    ['written', 'filter', { status: 'open' }],
    ['written', 'ids', [{ a: 1 }]],
  ])('refuses an object by name, before the route runs: %s %s %j', async (tool, name, value) => {
    const result = await app.client.call(tool, { [name]: value });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(name);
    expect(seen).toEqual([]);
  });

  it('warns once at boot, naming every such parameter and the cure', () => {
    const said = app.warnings.filter((warning) => warning.includes('query parser'));
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(
      'TasksController.list (filter, any), TasksController.written (filter)',
    );
    expect(said[0]).toContain("app.set('query parser', 'extended')");
    expect(app.warnings.filter((warning) => warning.includes("@Query('x')"))).toEqual([
      expect.stringContaining('accepts strings, numbers, booleans and lists of them'),
    ]);
  });
});

describe.each(readObjects)('a query parser that reads objects: %s', (_, adapter, main) => {
  const app = started(adapter, main);

  it('publishes them, and carries them as they are', async () => {
    expect(Object.keys(await propertiesOf(app.client, 'list'))).toEqual([
      'filter',
      'any',
      'q',
      'json',
    ]);
    const query = {
      filter: { status: 'open', owner: 'ada' },
      any: [{ status: 'a', owner: 'x' }, { status: 'b' }],
    };
    expect(JSON.parse(textOf(await app.client.call('list', query)))).toEqual(query);
    const x = { a: { b: ['1', '2'] }, c: 'd' };
    expect(JSON.parse(textOf(await app.client.call('erased', { x })))).toEqual({ x });
    expect(app.warnings.filter((warning) => warning.includes('query parser'))).toEqual([]);
  });

  it('keeps lists of one item and nested lists', async () => {
    const values = [['a'], { status: ['open'], owner: 'ada' }, [['a', 'b'], ['c']], [{ a: ['b'] }]];
    for (const x of values) {
      expect(JSON.parse(textOf(await app.client.call('erased', { x })))).toEqual({ x });
    }
    const filter = { status: ['open'] };
    expect(JSON.parse(textOf(await app.client.call('written', { filter })))).toEqual({ filter });
  });

  it.each([[[null, '1', 'x']], [['a', {}]], [[['a'], []]], [{ status: [null] }]])(
    'refuses what would vanish from a list: %j',
    async (x) => {
      const result = await app.client.call('erased', { x });
      expect([result.isError, seen]).toEqual([true, []]);
      expect(textOf(result)).toContain('has null or an empty value in a list');
    },
  );

  it.each([
    ['a list beyond its limit', Array.from({ length: 30 }, (_, i) => String(i))],
    ['a key it takes apart', { 'a][b': '1' }],
    ['an object below its depth', { a: { b: { c: { d: { e: { f: 1 } } } } } }],
  ])('refuses by name what it does not give back: %s', async (_, x) => {
    const result = await app.client.call('erased', { x });
    expect([result.isError, seen]).toEqual([true, []]);
    expect(textOf(result)).toContain('"x');
  });
});

describe.each([...readTexts, ...readObjects])(
  'what is documented as text: %s',
  (_, adapter, main) => {
    const app = started(adapter, main);

    it('is published and sent as text, though the route makes an object of it', async () => {
      expect((await propertiesOf(app.client, 'list'))['json']).toMatchObject({ type: 'string' });
      const sent = await app.client.call('list', { json: '{"status":"open"}' });
      expect(JSON.parse(textOf(sent))).toEqual({ json: { status: 'open' } });

      expect(await propertiesOf(app.client, 'documented')).toEqual({ filter: { type: 'string' } });
      const result = await app.client.call('documented', { filter: '{"status":"open"}' });
      expect(textOf(result)).toBe('{"status":"open"}');

      expect(await propertiesOf(app.client, 'one')).toEqual({
        id: { type: 'string', minLength: 1 },
      });
      expect(textOf(await app.client.call('one', { id: '{"status":"a"}' }))).toBe('{"status":"a"}');
    });

    it('is no hindrance to lists, nor to objects in a form', async () => {
      const x = ['a', 'b'];
      expect(JSON.parse(textOf(await app.client.call('erased', { x })))).toEqual({ x });
      const filter = { status: 'open', tags: [{ a: 1 }, { b: 2 }] };
      expect(JSON.parse(textOf(await app.client.call('form', { filter })))).toEqual({ filter });
    });
  },
);
