// What lists say about tools, resources and prompts: titles, hints, icons and `_meta`.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Param, Patch, Post, Put, type Type } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import {
  type McpAdapterOptions,
  McpOptionError,
  McpPrompt,
  McpResource,
  McpTool,
} from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';

const icons = [{ src: 'https://a.b/task.png', sizes: ['48x48'] }];

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ description: 'Lists tasks' })
  findAll() {
    return 'all';
  }

  @Post()
  @ApiOperation({ summary: 'Create\n  a task.' })
  @McpTool({ name: 'create', description: 'Creates', annotations: { destructiveHint: false } })
  create() {
    return 'created';
  }

  @Post('search')
  @McpTool({
    name: 'search_open_tasks',
    description: 'Searches',
    annotations: { readOnlyHint: true, openWorldHint: true },
  })
  search() {
    return [];
  }

  @Put(':id')
  @ApiOperation({ summary: 'Replaces' })
  @McpTool({ name: 'replace', title: 'Replace it', description: 'Replaces' })
  replace(@Param('id') id: string) {
    return id;
  }

  @Patch(':id')
  @McpTool({ name: 'changePDF', description: 'Changes', icons, meta: { 'a.b/order': 1 } })
  change(@Param('id') id: string) {
    return id;
  }

  @Delete(':id')
  @McpTool({ name: 'delete', description: 'Deletes', annotations: { readOnlyHint: false } })
  delete(@Param('id') id: string) {
    return id;
  }

  @Get('text')
  @McpResource({ uri: 'tasks://text', name: 'text', icons, meta: { size: 1 } })
  text() {
    return 'text';
  }

  @Get('one/:id')
  @McpResource({ uri: 'tasks://{id}', name: 'one', meta: { size: 2 } })
  one(@Param('id') id: string) {
    return id;
  }

  @Get('ask')
  @McpPrompt({ name: 'ask', description: 'Asks', icons, meta: { mood: 'good' } })
  ask() {
    return 'ask';
  }
}

@Controller('large')
class LargeController {
  @Get()
  @McpTool({ name: 'large', description: 'Much', meta: { own: true } })
  large() {
    return 'x'.repeat(60_000);
  }

  @Get('small')
  @McpTool({ name: 'small', description: 'Little', result: { maxBytes: 50_000 } })
  small() {
    return 'x';
  }

  @Get('huge')
  @McpTool({ name: 'huge', description: 'Very much', result: { maxBytes: 900_000 } })
  huge() {
    return 'x';
  }
}

let running: RunningApp | undefined;
let client: EraClient | undefined;
afterEach(async () => {
  await client?.close();
  await running?.close();
  running = client = undefined;
});

describe.each(platforms)('lists on $name', ({ adapter }) => {
  const start = async (controller: Type, mcp: Partial<McpAdapterOptions> = {}) =>
    (running = await startApp(adapter(), { ...controllers(controller), mcp }));

  describe.each(eras)('for clients of %s', (era) => {
    it('have a title and three hints for each tool', async () => {
      client = await connectEra(era, (await start(TasksController)).endpoint);
      const { tools } = await client.client.listTools();
      expect(tools.map(({ name, title }) => [name, title])).toEqual([
        ['TasksController.findAll', 'Tasks find all'],
        ['create', 'Create a task'],
        ['search_open_tasks', 'Search open tasks'],
        ['replace', 'Replace it'],
        ['changePDF', 'Change PDF'],
        ['delete', 'Delete'],
      ]);
      const hints = (readOnlyHint: boolean, destructiveHint: boolean, more: object = {}) => ({
        readOnlyHint,
        destructiveHint,
        openWorldHint: false,
        ...more,
      });
      expect(tools.map(({ annotations }) => annotations)).toEqual([
        { title: 'Tasks find all', ...hints(true, false, { idempotentHint: true }) },
        { title: 'Create a task', ...hints(false, false) },
        { title: 'Search open tasks', ...hints(true, false, { openWorldHint: true }) },
        { title: 'Replace it', ...hints(false, true, { idempotentHint: true }) },
        { title: 'Change PDF', ...hints(false, true) },
        { title: 'Delete', ...hints(false, true, { idempotentHint: true }) },
      ]);
    });

    it('have the icons and the metadata of authors', async () => {
      client = await connectEra(era, (await start(TasksController)).endpoint);
      const { tools } = await client.client.listTools();
      expect(tools[4]).toMatchObject({ icons, _meta: { 'a.b/order': 1 } });
      expect(tools.filter((tool) => tool._meta ?? tool.icons)).toHaveLength(1);
      const { resources } = await client.client.listResources();
      expect(resources).toMatchObject([{ name: 'text', icons, _meta: { size: 1 } }]);
      const { resourceTemplates } = await client.client.listResourceTemplates();
      expect(resourceTemplates).toMatchObject([{ name: 'one', _meta: { size: 2 } }]);
      const { prompts } = await client.client.listPrompts();
      expect(prompts).toMatchObject([{ name: 'ask', icons, _meta: { mood: 'good' } }]);
    });

    it('announce results of more than 50,000 characters', async () => {
      const { endpoint } = await start(LargeController, { result: { maxBytes: 100_000 } });
      client = await connectEra(era, endpoint);
      const { tools } = await client.client.listTools();
      expect(tools.map(({ _meta }) => _meta)).toEqual([
        { own: true, 'anthropic/maxResultSizeChars': 100_000 },
        undefined,
        { 'anthropic/maxResultSizeChars': 500_000 },
      ]);
    });
  });

  it.each([
    [{ icons: [{ src: 'task.png' }] }, 'icons[0].src }) on OddController.odd is "task.png"'],
    [
      { icons: [{ src: 'javascript:alert(1)' }] },
      'an absolute URL with the scheme https:, http: or data:',
    ],
    [{ icons: [{ src: 'https://a.b/c', size: '1x1' }] }, 'Did you mean sizes?'],
    [{ meta: ['a'] }, 'must be an object that can be written as JSON'],
    [{ meta: { a: 1n } }, 'must be an object that can be written as JSON'],
  ])('are checked at startup: %o', async (wrong, message) => {
    for (const decorate of [
      McpTool({ description: 'Odd', ...wrong } as never),
      McpResource({ uri: 'odd://', ...wrong } as never),
      McpPrompt({ description: 'Odd', ...wrong } as never),
    ]) {
      class OddController {
        odd() {
          return 'odd';
        }
      }
      const method = Object.getOwnPropertyDescriptor(OddController.prototype, 'odd')!;
      Get()(OddController.prototype, 'odd', method);
      decorate(OddController.prototype, 'odd', method);
      Controller('odd')(OddController);
      const starts = start(OddController);
      await expect(starts).rejects.toThrow(McpOptionError);
      await expect(starts).rejects.toThrow(message);
    }
  });
});
