// GET routes as resources and resource templates, through both official clients.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Header,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Query,
  StreamableFile,
  UseGuards,
} from '@nestjs/common';
import type { Client as ModernClient } from '@modelcontextprotocol/client';
import type { IncomingMessage } from 'node:http';
import { McpAdapter, McpResource, McpTool } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { platforms } from '../../../test/support/platforms.js';
import { until } from '../../../test/support/until.js';

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return (
      context.switchToHttp().getRequest<IncomingMessage>().headers.authorization === 'Bearer ada'
    );
  }
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

@Controller('tasks')
class TasksController {
  @Get()
  @McpResource({ uri: 'tasks://list{?status,page}', name: 'tasks', description: 'Every task' })
  list(@Query('status') status?: string, @Query('page', ParseIntPipe) page = 1) {
    return { status: status ?? 'any', page };
  }

  @Get('ids')
  @UseGuards(KeyGuard)
  ids(@Query('value') value: string, @Query('status') status?: string) {
    return ['10', '11', '20'].filter((id) => id.startsWith(value)).concat(status ?? []);
  }

  @Get('logo')
  @McpResource({ uri: 'tasks://logo', mimeType: 'image/png', title: 'The logo' })
  @Header('content-type', 'image/png')
  logo() {
    return new StreamableFile(PIXEL);
  }

  @Get('secret')
  @UseGuards(KeyGuard)
  @McpResource({ uri: 'tasks://secret' })
  secret() {
    return 'the secret';
  }

  @Get('huge')
  @McpResource({ uri: 'tasks://huge' })
  huge() {
    return 'x'.repeat(5000);
  }

  @Get(':id')
  @McpTool({ name: 'find', description: 'Reads a task' })
  @McpResource({ uri: 'tasks://{id}', description: 'One task', complete: { id: 'ids' } })
  find(@Param('id', ParseIntPipe) id: number) {
    if (id > 100) throw new NotFoundException();
    return { id };
  }
}

describe.each(platforms)('resources on $name', ({ adapter }) => {
  let running: RunningApp;
  let client: EraClient | undefined;

  beforeEach(async () => {
    running = await startApp(adapter(), {
      ...controllers(TasksController),
      mcp: { limits: { responseBytes: 4096 } },
    });
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await running.close();
  });

  it('are told by the adapter', () => {
    expect(running.app.get(McpAdapter).getResources()).toEqual([
      expect.objectContaining({ uri: 'tasks://logo', name: 'TasksController.logo' }),
      expect.objectContaining({ uri: 'tasks://secret', httpMethod: 'GET' }),
      expect.objectContaining({ uri: 'tasks://huge', mountPath: '/tasks/huge' }),
      expect.objectContaining({ uri: 'tasks://list{?status,page}', name: 'tasks' }),
      expect.objectContaining({ uri: 'tasks://{id}', description: 'One task' }),
    ]);
    expect(
      running.app
        .get(McpAdapter)
        .getTools()
        .map(({ name }) => name),
    ).toEqual(['find']);
  });

  describe.each(eras)('for clients of %s', (era) => {
    /** Both clients have these methods; the one of the older SDK has them with the same shapes. */
    async function connected(headers: Record<string, string> = {}): Promise<ModernClient> {
      client = await connectEra(era, running.endpoint, { headers });
      return client.client as ModernClient;
    }

    it('are listed, templates apart', async () => {
      const sdk = await connected();
      const { resources } = await sdk.listResources();
      expect(resources.map(({ uri, title, mimeType }) => [uri, title, mimeType])).toEqual([
        ['tasks://logo', 'The logo', 'image/png'],
        ['tasks://secret', undefined, undefined],
        ['tasks://huge', undefined, undefined],
      ]);
      const { resourceTemplates } = await sdk.listResourceTemplates();
      expect(resourceTemplates).toEqual([
        expect.objectContaining({ uriTemplate: 'tasks://list{?status,page}', name: 'tasks' }),
        expect.objectContaining({ uriTemplate: 'tasks://{id}', description: 'One task' }),
      ]);
    });

    it('are read through the pipeline of their route', async () => {
      const sdk = await connected({ authorization: 'Bearer ada' });
      const read = async (uri: string) => (await sdk.readResource({ uri })).contents;
      expect(await read('tasks://7')).toEqual([
        { uri: 'tasks://7', mimeType: 'application/json', text: '{"id":7}' },
      ]);
      expect(await read('tasks://list?status=open&page=2')).toEqual([
        expect.objectContaining({ text: '{"status":"open","page":2}' }),
      ]);
      expect(await read('tasks://logo')).toEqual([
        { uri: 'tasks://logo', mimeType: 'image/png', blob: PIXEL.toString('base64') },
      ]);
      expect(await read('tasks://secret')).toEqual([
        expect.objectContaining({ text: 'the secret' }),
      ]);
    });

    it.each<[string, RegExp, number[]]>([
      ['tasks://101', /Resource not found/, [-32002, -32602]],
      ['tasks://nowhere/else', /Resource not found/, [-32002, -32602]],
      ['tasks://seven', /for resource "tasks:\/\/seven": \/id must be integer/, [-32602]],
      ['tasks://secret', /403/, [-32000]],
      ['tasks://huge', /5000 bytes, which is more than limits\.responseBytes/, [-32603]],
    ])('answers %s with an error', async (uri, message, codes) => {
      const sdk = await connected();
      const failed = (await sdk.readResource({ uri }).catch((error: unknown) => error)) as {
        code: number;
        message: string;
      };
      expect(failed.message).toMatch(message);
      expect(codes).toContain(failed.code);
      expect(failed.message).not.toMatch(/\.[jt]s:\d+/);
    });

    it('complete parameters by a route, whose guards hold', async () => {
      const ref = { type: 'ref/resource' as const, uri: 'tasks://{id}' };
      const sdk = await connected({ authorization: 'Bearer ada' });
      const { completion } = await sdk.complete({
        ref,
        argument: { name: 'id', value: '1' },
        context: { arguments: { status: 'open', unknown: 'x' } },
      });
      expect(completion).toEqual({ values: ['10', '11', 'open'], total: 3, hasMore: false });
      const nothing = await sdk.complete({ ref, argument: { name: 'other', value: '1' } });
      expect(nothing.completion.values).toEqual([]);
      await client?.close();

      const stranger = await connected();
      await expect(
        stranger.complete({ ref, argument: { name: 'id', value: '1' } }),
      ).rejects.toThrow(/403/);
    });
  });

  it('tell sessions that subscribed of a change, and those alone', async () => {
    client = await connectEra('2025-11-25', running.endpoint);
    const sdk = client.client as ModernClient;
    await sdk.subscribeResource({ uri: 'tasks://7' });
    await expect(sdk.subscribeResource({ uri: 'nowhere://7' })).rejects.toThrow(/not found/);
    for (let i = 0; i < 999; i++) await sdk.subscribeResource({ uri: `tasks://${i + 1_000}` });
    await expect(sdk.subscribeResource({ uri: 'tasks://9' })).rejects.toThrow(/1000 resources/);
    const adapter = running.app.get(McpAdapter);
    // The client opens its stream for such messages by itself, shortly after it connected.
    const { updates } = client;
    await until(() => {
      adapter.resourceUpdated('tasks://8');
      adapter.resourceUpdated('tasks://7');
      return updates.length > 0;
    });
    expect(new Set(updates)).toEqual(new Set(['tasks://7']));
    await sdk.unsubscribeResource({ uri: 'tasks://7' });
    // Messages of one stream keep their order: this one follows all that were sent before.
    adapter.resourceUpdated('tasks://1000');
    await until(() => updates.includes('tasks://1000'));
    const heard = updates.length;
    adapter.resourceUpdated('tasks://7');
    adapter.resourceUpdated('tasks://1001');
    await until(() => updates.includes('tasks://1001'));
    expect(updates.slice(heard)).toEqual(['tasks://1001']);
  });

  it('tell listeners of 2026-07-28 of a change', async () => {
    client = await connectEra('2026-07-28', running.endpoint);
    const sdk = client.client as ModernClient;
    const subscription = await sdk.listen({ resourceSubscriptions: ['tasks://7'] });
    const adapter = running.app.get(McpAdapter);
    const { updates } = client;
    await until(() => {
      adapter.resourceUpdated('tasks://8');
      adapter.resourceUpdated('tasks://7');
      return updates.length > 0;
    });
    expect(new Set(updates)).toEqual(new Set(['tasks://7']));
    await subscription.close();
    const many = Array.from({ length: 1_001 }, (_, i) => `tasks://${i}`);
    await expect(sdk.listen({ resourceSubscriptions: many })).rejects.toThrow(/1000 resources/);
  });
});

describe('a resource that cannot be', () => {
  @Controller('bad')
  class PostController {
    @Post()
    @McpResource({ uri: 'bad://post' })
    create() {}
  }

  @Controller('bad')
  class StrangerController {
    @Get(':id')
    @McpResource({ uri: 'bad://{name}' })
    find(@Param('id') id: string) {
      return id;
    }
  }

  @Controller('bad')
  class MissingController {
    @Get(':id')
    @McpResource({ uri: 'bad://all' })
    find(@Param('id') id: string) {
      return id;
    }
  }

  @Controller('bad')
  class SchemeController {
    @Get()
    @McpResource({ uri: 'all' })
    find() {}
  }

  @Controller('bad')
  class OperatorController {
    @Get(':id')
    @McpResource({ uri: 'bad://{#id}' })
    find(@Param('id') id: string) {
      return id;
    }
  }

  @Controller('bad')
  class TwiceController {
    @Get('a')
    @McpResource({ uri: 'bad://one' })
    a() {}

    @Get('b')
    @McpResource({ uri: 'bad://one' })
    b() {}
  }

  @Controller('bad')
  class CompletionController {
    @Get(':id')
    @McpResource({ uri: 'bad://{id}', complete: { id: 'ids' } })
    find(@Param('id') id: string) {
      return id;
    }

    ids() {}
  }

  @Controller('bad')
  class CompletedController {
    @Get(':id')
    @McpResource({ uri: 'bad://{id}', complete: { name: 'find' } })
    find(@Param('id') id: string) {
      return id;
    }
  }

  class NoRouteController {
    @McpResource({ uri: 'bad://none' })
    none() {}
  }
  Controller('bad')(NoRouteController);

  it.each<[new () => object, string, RegExp]>([
    [PostController, 'MCP_NOT_A_ROUTE', /create has @McpResource but is a POST route/],
    [NoRouteController, 'MCP_NOT_A_ROUTE', /none has @McpResource but is not a route/],
    [StrangerController, 'MCP_BAD_RESOURCE_URI', /"name", which the route does not have.*: id/],
    [MissingController, 'MCP_BAD_RESOURCE_URI', /lacks the parameter "id".*Add \{id\}/],
    [SchemeController, 'MCP_BAD_RESOURCE_URI', /'all'.*has no scheme/],
    [OperatorController, 'MCP_BAD_RESOURCE_URI', /contains "\{#id\}"/],
    [TwiceController, 'MCP_DUPLICATE_RESOURCE', /TwiceController\.a and by TwiceController\.b/],
    [CompletionController, 'MCP_BAD_COMPLETION', /ids, which is not a GET route/],
    [
      CompletedController,
      'MCP_BAD_COMPLETION',
      /"name".*parameter does not exist. The parameters are: id/,
    ],
  ])('fails the boot: %p', async (controller, code, message) => {
    const starting = startApp(platforms[0]!.adapter(), controllers(controller));
    await expect(starting).rejects.toMatchObject({ code });
    await expect(starting).rejects.toThrow(message);
  });
});
