import { afterEach, describe, expect, it } from '@jest/globals';
import { Ctx, IntrospectionRegistry, RequestContext } from '@fledge/core';
import {
  Body,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  Param,
  Patch,
  Post,
  Put,
  Version,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { ApiOperation } from '@nestjs/swagger';
import {
  getMcpToolMeta,
  isMcpTool,
  MCP_TOOL_METADATA,
  McpTool,
} from '../src/publish/decorators/mcp-tool.decorator.js';
import { McpAdapter } from '../src/mcp.adapter.js';
import {
  DuplicateToolError,
  McpOptionError,
  ToolNameError,
  ToolSchemaError,
} from '../src/mcp.errors.js';
import { McpModule } from '../src/mcp.module.js';
import type { McpAdapterOptions } from '../src/mcp.options.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connect, textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ description: 'Lists tasks' })
  list() {
    return [];
  }

  @Post()
  @ApiOperation({ operationId: 'createTask', summary: 'Creates' })
  @McpTool({
    description: 'Creates a task',
    title: 'New task',
    examples: [{ description: 'one', args: { title: 'x' } }],
    annotations: { idempotentHint: true },
  })
  create() {
    return {};
  }

  @Put(':id')
  @ApiOperation({ summary: 'Replaces a task' })
  replace(@Param('id') id: string) {
    return { id };
  }

  @Delete(':id')
  @McpTool({ description: 'Hidden', hidden: true })
  remove() {}

  @Patch(':id')
  @McpTool({ description: 'Changes a task' })
  change(@Param('id') id: string, @Ctx() ctx: RequestContext) {
    return { id, verb: ctx.method };
  }
}

@Controller({ path: 'versions', version: '1' })
class VersionsController {
  @Get()
  @McpTool({ name: 'one', description: 'x' })
  one() {
    return { version: 1 };
  }

  @Get()
  @Version('2')
  @McpTool({ name: 'two', description: 'x' })
  two() {
    return { version: 2 };
  }
}

class BaseCrud {
  @Get(':id')
  @McpTool({ description: 'Reads one' })
  find(@Param('id') id: string) {
    return { id, of: this.constructor.name };
  }
}

@Controller('cats')
class CatsController extends BaseCrud {}

@Controller('dogs')
class DogsController extends BaseCrud {
  @Get(':id')
  @McpTool({ name: 'dog', description: 'Reads a dog' })
  override find(id: string) {
    return { id, of: 'override' };
  }
}

describe('@McpTool', () => {
  it('records, and the helpers read', () => {
    const { list, replace } = TasksController.prototype;
    expect([isMcpTool(list), isMcpTool(replace)]).toEqual([true, false]);
    expect(getMcpToolMeta(list)).toEqual({ description: 'Lists tasks' });
    expect(Reflect.getMetadata(MCP_TOOL_METADATA, list)).toBe(getMcpToolMeta(list));
  });
});

describe.each(platforms)('McpModule on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(() => running?.close());

  it('publishes what the decorators say', async () => {
    running = await startApp(adapter(), controllers(TasksController));
    const client = await running.connect();
    const { tools } = await client.listTools();
    await client.leave();
    expect(tools).toEqual([
      {
        name: 'TasksController.list',
        title: 'Tasks list',
        description: 'Lists tasks',
        inputSchema: { type: 'object', properties: {}, additionalProperties: false },
        annotations: {
          title: 'Tasks list',
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      {
        name: 'createTask',
        title: 'New task',
        description: 'Creates a task',
        inputSchema: {
          type: 'object',
          properties: {},
          additionalProperties: false,
          examples: [{ title: 'x' }],
        },
        annotations: {
          title: 'New task',
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      {
        name: 'TasksController.change',
        title: 'Tasks change',
        description: 'Changes a task',
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'string', minLength: 1 } },
          required: ['id'],
          additionalProperties: false,
        },
        annotations: {
          title: 'Tasks change',
          readOnlyHint: false,
          destructiveHint: true,
          openWorldHint: false,
        },
      },
    ]);
  });

  it('publishes every route in auto mode, but those left out', async () => {
    running = await startApp(adapter(), {
      ...controllers(TasksController, CatsController, DogsController),
      mcp: { mode: 'auto', include: ['GET', 'PUT'], exclude: ['/dogs/*'] },
    });
    const tools = running.app.get(McpAdapter).getTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['TasksController.list', 'Lists tasks'],
      ['TasksController.replace', 'Replaces a task'],
      ['CatsController.find', 'Reads one'],
    ]);
  });

  it('names the tools without a description at boot, where it is asked to', async () => {
    @Controller('reports')
    class ReportsController {
      @Get()
      list() {}

      @Get(':id')
      @ApiOperation({ summary: 'Reads a report' })
      find(@Param('id') id: string) {
        return { id };
      }
    }
    const warned = async (warnUndescribed: boolean) => {
      const warnings: string[] = [];
      const warn = (text: string) => warnings.push(text);
      const silent = () => undefined;
      running = await startApp(adapter(), {
        ...controllers(ReportsController),
        mcp: { mode: 'auto', warnUndescribed },
        main: (app) => app.useLogger({ log: silent, error: silent, warn }),
      });
      await running.close();
      return warnings.filter((text) => text.includes('no description'));
    };
    expect(await warned(true)).toEqual([
      expect.stringMatching(/^1 of 2 tools have no description, .*: ReportsController\.list\. /),
    ]);
    expect(await warned(false)).toEqual([]);
  });

  it('counts in its boot log, and tells renamed arguments at debug level only', async () => {
    @Controller('users')
    class UsersController {
      @Put(':id')
      @McpTool({ description: 'x' })
      replace(@Param('id') _id: string, @Body('id') _newId: string) {}
    }
    const said: Record<'log' | 'warn' | 'debug', string[]> = { log: [], warn: [], debug: [] };
    running = await startApp(adapter(), {
      ...controllers(UsersController),
      main(app) {
        app.useLogger({
          log: (text: string) => said.log.push(text),
          warn: (text: string) => said.warn.push(text),
          debug: (text: string) => said.debug.push(text),
          error() {},
        });
      },
    });
    expect(said.log).toContain('1 tool at /_mcp/messages');
    expect(said.warn).toEqual([expect.stringMatching(/^N1: /)]);
    expect(said.debug).toEqual([
      'UsersController.replace: the path parameter "id" is published as the argument "id__path", because another argument already has this name.',
    ]);
  });

  it('serves inherited methods once a subclass, overrides first', async () => {
    running = await startApp(adapter(), controllers(CatsController, DogsController));
    const client = await running.connect();
    const cat = await client.call('CatsController.find', { id: '1' });
    const dog = await client.call('dog', { id: '2' });
    await client.leave();
    expect(JSON.parse(textOf(cat))).toEqual({ id: '1', of: 'CatsController' });
    expect(JSON.parse(textOf(dog))).toMatchObject({ of: 'override' });
  });

  it.each<[string, VersioningOptions]>([
    ['URI', { type: VersioningType.URI }],
    ['header', { type: VersioningType.HEADER, header: 'X-Version' }],
    ['media type', { type: VersioningType.MEDIA_TYPE, key: 'v=' }],
    [
      'custom',
      {
        type: VersioningType.CUSTOM,
        extractor: (request) =>
          String((request as { headers: Record<string, string> }).headers['x-mine'] ?? 'none'),
      },
    ],
  ])('reaches each version of a route: %s', async (_, versioning) => {
    running = await startApp(adapter(), {
      ...controllers(VersionsController),
      main: (app) => void app.enableVersioning(versioning),
    });
    const client = await running.connect();
    const answers = [await client.call('one'), await client.call('two')].map(textOf);
    await client.leave();
    expect(answers).toEqual(['{"version":1}', '{"version":2}']);

    if (versioning.type !== VersioningType.CUSTOM) return;
    const direct = await fetch(`${running.url}/versions`, { headers: { 'x-mine': '2' } });
    expect(await direct.json()).toEqual({ version: 2 });
    expect((await fetch(`${running.url}/versions`)).status).toBe(404);
  });

  it('reaches a route that custom versioning serves in several versions, and one without', async () => {
    @Controller('lists')
    class ListsController {
      @Version([VERSION_NEUTRAL, '2', '3'])
      @Get('mixed')
      @McpTool({ name: 'mixed', description: 'Has versions' })
      mixed() {
        return 'mixed';
      }

      @Version(VERSION_NEUTRAL)
      @Get('neutral')
      @McpTool({ name: 'neutral', description: 'Has none' })
      neutral() {
        return 'neutral';
      }
    }
    running = await startApp(adapter(), {
      ...controllers(ListsController),
      main: (app) =>
        void app.enableVersioning({ type: VersioningType.CUSTOM, extractor: () => 'none' }),
    });
    const client = await running.connect();
    const answers = [await client.call('mixed'), await client.call('neutral')].map(textOf);
    await client.leave();
    // Under Fastify, Nest finds no neutral route for the version of an extractor.
    expect(answers[0]).toBe('mixed');
    expect((await fetch(`${running.url}/lists/neutral`)).ok).toBe(answers[1] === 'neutral');
  });

  it('takes its options from a factory', async () => {
    @Injectable()
    class Config {
      readonly name = 'from-config';
    }
    @Module({ providers: [Config], exports: [Config] })
    class ConfigModule {}
    @Module({
      imports: [
        McpModule.forRootAsync({
          imports: [ConfigModule],
          inject: [Config],
          useFactory: ({ name }: Config) =>
            Promise.resolve({ name, version: '1.2.3', instructions: 'Hi' }),
        }),
      ],
      controllers: [TasksController],
    })
    class AppModule {}

    const app = await NestFactory.create(AppModule, adapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    const client = await connect(`${await app.getUrl()}/_mcp/messages`);
    expect(client.getServerVersion()).toEqual({ name: 'from-config', version: '1.2.3' });
    expect(client.getInstructions()).toBe('Hi');
    await client.leave();
    await app.close();
  });

  it('works in a testing module', async () => {
    const module = await Test.createTestingModule({
      imports: [McpModule.forRoot({ name: 'testing' })],
      controllers: [TasksController],
    }).compile();
    const app = module.createNestApplication(adapter());
    await app.listen(0, '127.0.0.1');
    const client = await connect(`${await app.getUrl()}/_mcp/messages`);
    expect(JSON.parse(textOf(await client.call('TasksController.change', { id: '1' })))).toEqual({
      id: '1',
      verb: 'PATCH',
    });
    await client.leave();
    await app.close();
  });

  it('tells about itself', async () => {
    running = await startApp(adapter(), controllers(TasksController));
    const client = await running.connect();
    await client.call('TasksController.list');
    await client.call('TasksController.list', { nope: 1 });
    const { adapters, errors } = await running.app.get(IntrospectionRegistry).collect();
    expect([adapters, errors]).toEqual([
      [
        {
          protocolVersion: 1,
          name: 'McpAdapter',
          kind: 'adapter',
          state: {
            endpoint: '/_mcp/messages',
            mode: 'explicit',
            tools: 3,
            resources: 0,
            prompts: 0,
            maxSessions: 100,
          },
          metrics: { calls: 2, errors: 1, sessions: 1 },
        },
      ],
      [],
    ]);
    await client.leave();
  });

  it('is silent in an application context without a server', async () => {
    @Module({ imports: [McpModule.forRoot({ name: 'context' })], controllers: [TasksController] })
    class AppModule {}
    const context = await NestFactory.createApplicationContext(AppModule, { logger: false });
    expect(context.get(McpAdapter).getTools()).toHaveLength(3);
    await context.close();
  });

  describe('refuses to boot', () => {
    async function boot(mcp: Partial<McpAdapterOptions>, ...types: object[]): Promise<unknown> {
      try {
        const app = await startApp(adapter(), { ...controllers(...types), mcp });
        await app.close();
        return undefined;
      } catch (error) {
        return error;
      }
    }

    it('with two tools of one name, naming both', async () => {
      @Controller('a')
      class OneController {
        @Get() @McpTool({ name: 'same', description: 'x' }) one() {}
      }
      @Controller('b')
      class OtherController {
        @Get() @McpTool({ name: 'same', description: 'x' }) two() {}
      }
      const error = await boot({}, OneController, OtherController);
      expect(error).toBeInstanceOf(DuplicateToolError);
      expect((error as Error).message).toBe(
        'Tool "same" is declared by OneController.one and by OtherController.two. ' +
          "Give one of them another name. For a route, use @McpTool({ name: '...' }).",
      );
    });

    it('with a tool name that two controllers inherit, with the fix for inherited methods', async () => {
      abstract class Base {
        @Get() @McpTool({ name: 'same', description: 'x' }) one() {}
      }
      @Controller('a')
      class OneController extends Base {}
      @Controller('b')
      class OtherController extends Base {}
      expect((await boot({}, OneController, OtherController)) as Error).toMatchObject({
        message:
          'Tool "same" is declared by OneController.one and by OtherController.one (the same inherited method: ' +
          'override the method in one of the classes, or remove the name in the base class). ' +
          "Give one of them another name. For a route, use @McpTool({ name: '...' }).",
      });
    });

    it.each(['with space', 'a/b', '', 'x'.repeat(65)])('with the tool name %j', async (name) => {
      @Controller('a')
      class OneController {
        @Get() @McpTool({ name, description: 'x' }) one() {}
      }
      expect(await boot({}, OneController)).toBeInstanceOf(ToolNameError);
    });

    it('with an input schema that no validator understands, naming the route', async () => {
      @Controller('a')
      class OneController {
        @Get()
        @McpTool({ description: 'x', inputSchema: { type: 'object', required: 7 } })
        one() {}
      }
      const error = await boot({}, OneController);
      expect(error).toBeInstanceOf(ToolSchemaError);
      expect((error as Error).message).toContain('OneController.one');
    });

    it('with options that can never work', async () => {
      expect(await boot({ name: '' }, TasksController)).toBeInstanceOf(McpOptionError);
    });
  });
});
