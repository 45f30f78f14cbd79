// Read-only properties are no arguments, and write-only ones are not in output schemas, wherever they are declared.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post, Query, ValidationPipe } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiProperty, ApiQuery } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connect, type ConnectedClient, textOf } from './support/clients.js';

class Owner {
  @ApiProperty({ readOnly: true }) id!: string;
  @ApiProperty() @IsString() name!: string;
}
class Label {
  @ApiProperty({ readOnly: true }) @IsOptional() id?: number;
  @ApiProperty() @IsString() text!: string;
}
class Pet {
  @ApiProperty({ readOnly: true }) kind!: string;
  @ApiProperty({ readOnly: true }) id!: string;
  @ApiProperty() @IsString() name!: string;
}
class Cat extends Pet {}
class Dog extends Pet {}

class NewTask {
  @ApiProperty({ readOnly: true }) id!: string;
  @ApiProperty({ readOnly: true, type: () => Owner }) author!: Owner;
  @ApiProperty({ readOnly: true }) @IsString() required!: string;
  @ApiProperty() @IsString() title!: string;
  @ApiProperty() @ValidateNested() @Type(() => Owner) owner!: Owner;
  @ApiProperty({ type: [Label] })
  @ValidateNested({ each: true })
  @Type(() => Label)
  labels!: Label[];
  @ValidateNested()
  @Type(() => Pet, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'cat', value: Cat },
        { name: 'dog', value: Dog },
      ],
    },
  })
  pet!: Cat | Dog;
  @ApiProperty({
    type: 'object',
    required: ['id', 'a'],
    properties: { id: { type: 'string', readOnly: true }, a: { type: 'string' } },
  })
  @IsOptional()
  extra?: object;
}

class Account {
  @ApiProperty() name!: string;
  @ApiProperty({ writeOnly: true }) password!: string;
  @ApiProperty({ type: () => [Account], required: false }) friends?: Account[];
}

const Row = z.object({
  id: z.string().optional().meta({ readOnly: true }),
  version: z.number().meta({ readOnly: true }),
  tags: z.array(z.string()).readonly(),
  notes: z.array(z.string()).readonly().optional(),
});

@Controller('tasks')
class TasksController {
  @Post()
  @McpTool({ name: 'create', description: 'Creates' })
  create(@Body() task: NewTask) {
    return task;
  }

  @Post('row')
  @McpTool({ name: 'row', description: 'Creates a row' })
  row(@Body({ schema: Row }) row: object) {
    return row;
  }

  @Post('documented')
  @McpTool({ name: 'documented', description: 'Documented' })
  @ApiBody({
    schema: {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    },
  })
  documented(@Body() body: Record<string, unknown>) {
    return body;
  }

  @Post('written')
  @McpTool({
    name: 'written',
    description: 'Written by hand',
    inputSchema: {
      type: 'object',
      required: ['id', 'name', 'items'],
      properties: {
        id: { $ref: '#/$defs/Id' },
        name: { type: 'string' },
        items: {
          type: 'array',
          items: { allOf: [{ $ref: '#/$defs/Item' }, { required: ['id', 'text'] }] },
        },
      },
      $defs: {
        Id: { type: 'string', readOnly: true },
        Item: {
          type: 'object',
          properties: { id: { type: 'string', readOnly: true }, text: { type: 'string' } },
        },
      },
    },
  })
  written(@Body() body: object) {
    return body;
  }

  @Get('found')
  @McpTool({ name: 'found', description: 'Finds' })
  @ApiQuery({ name: 'page', type: Number, required: false })
  found(@Query() query: Label) {
    return query;
  }

  @Get('account')
  @McpTool({ name: 'account', description: 'Reads the account' })
  @ApiOkResponse({ type: Account })
  account() {
    return { name: 'ada', password: 'hunter2', friends: [{ name: 'bob' }] };
  }
}

let running: RunningApp | undefined;
let client: ConnectedClient | undefined;
const warnings: string[] = [];

afterEach(async () => {
  await client?.leave();
  await running?.close();
  client = running = undefined;
  warnings.length = 0;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  const start = async () => {
    const silent = () => undefined;
    running = await startApp(adapter(), {
      ...controllers(TasksController),
      mcp: { outputSchemas: 'declared' },
      main: (app) => {
        app.useLogger({ error: silent, log: silent, warn: (text: string) => warnings.push(text) });
        app.useGlobalPipes(new ValidationPipe());
      },
    });
    client = await connect(running.endpoint);
    const { tools } = await client.listTools();
    return (name: string) => tools.find((tool) => tool.name === name)!;
  };

  it('are left out of DTOs, nested ones, lists, discriminated types and documented objects', async () => {
    const tool = await start();
    const { inputSchema } = tool('create');
    expect(Object.keys(inputSchema.properties ?? {})).toEqual([
      'required',
      'title',
      'owner',
      'labels',
      'pet',
      'extra',
    ]);
    expect(inputSchema.required).toEqual(['required', 'title', 'owner', 'labels']);
    expect(inputSchema).toMatchObject({
      properties: {
        pet: {
          anyOf: [
            { properties: { kind: { const: 'cat' } }, required: ['kind'] },
            { properties: { kind: { const: 'dog' } }, required: ['kind'] },
          ],
        },
      },
    });
    const definitions = inputSchema['$defs'] as Record<string, { properties: object }>;
    expect(
      Object.entries(definitions).map(([name, { properties }]) => [name, Object.keys(properties)]),
    ).toEqual([
      ['Owner', ['name']],
      ['Label', ['text']],
      ['Cat', ['name']],
      ['Dog', ['name']],
    ]);
    expect(JSON.stringify(inputSchema)).not.toMatch(/readOnly|"id"/);

    const args = {
      required: 'r',
      title: 't',
      owner: { name: 'o' },
      labels: [{ text: 'l' }],
      pet: { kind: 'cat', name: 'p' },
      extra: { a: 'b' },
    };
    expect(JSON.parse(textOf(await client!.call('create', args)))).toEqual(args);
    expect(textOf(await client!.call('create', { ...args, id: 'x' }))).toContain(
      'Unknown argument "id"',
    );
  });

  it('are left out of schemas, unless the schema requires them', async () => {
    const tool = await start();
    expect(tool('row').inputSchema).toMatchObject({
      properties: { version: {}, tags: {}, notes: {} },
      required: ['version', 'tags'],
    });
    expect(Object.keys(tool('row').inputSchema.properties ?? {})).not.toContain('id');
    expect(tool('documented').inputSchema).toMatchObject({
      properties: { name: {} },
      required: ['name'],
    });
    expect(JSON.parse(textOf(await client!.call('documented', { name: 'a' })))).toEqual({
      name: 'a',
    });
    expect(Object.keys(tool('found').inputSchema.properties ?? {})).toEqual(['text', 'page']);

    const { inputSchema } = tool('written');
    expect(Object.keys(inputSchema.properties ?? {})).toEqual(['name', 'items']);
    expect(inputSchema.required).toEqual(['name', 'items']);
    const written = { name: 'a', items: [{ text: 'b' }] };
    expect(JSON.parse(textOf(await client!.call('written', written)))).toEqual(written);
  });

  it('stay if a validator requires them, with a warning', async () => {
    await start();
    const all = warnings.filter((text) => text.includes('is read-only'));
    expect(all).toHaveLength(2);
    expect(all[0]).toContain('NewTask.required is read-only, but its validator rejects a call');
    expect(all[1]).toContain('"version" is read-only, but its validator rejects a call');
  });

  it('leave write-only properties out of the output schema, at any depth', async () => {
    const tool = await start();
    const { outputSchema } = tool('account');
    expect(JSON.stringify(outputSchema)).toContain('"friends"');
    expect(JSON.stringify(outputSchema)).not.toContain('password');
    const { structuredContent } = await client!.call('account');
    expect(structuredContent).toMatchObject({ name: 'ada', friends: [{ name: 'bob' }] });
  });
});
