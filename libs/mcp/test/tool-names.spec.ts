// `toolNames`: how tools are named whose authors gave them no name.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type Type } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { DuplicateToolError, McpAdapter, type McpAdapterOptions, McpTool } from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, eras } from './support/eras.js';

@Controller('tasks')
class TasksController {
  @Get()
  @McpTool({ description: 'Lists tasks' })
  findAll() {
    return 'all';
  }

  @Get('one')
  @McpTool({ name: 'Tasks.one', description: 'Reads one' })
  one() {
    return 'one';
  }

  @Get('open')
  @ApiOperation({ operationId: 'listOpen.v2' })
  @McpTool({ description: 'Lists open tasks' })
  open() {
    return 'open';
  }
}

@Controller('clash')
class Tasks {
  @Get()
  @McpTool({ description: 'Lists tasks too' })
  find_all() {
    return 'clash';
  }
}

@Controller('long')
class AnendlesslylongnamewithoutapausebetweenitsmanywordsController {
  @Get()
  @McpTool({ description: 'Has a name of 68 characters' })
  readIt() {
    return 'long';
  }
}

let running: RunningApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(platforms)('toolNames on $name', ({ adapter }) => {
  const warnings: string[] = [];
  const start = async (mcp: Partial<McpAdapterOptions>, ...types: Type[]) => {
    const silent = () => undefined;
    warnings.length = 0;
    running = await startApp(adapter(), {
      ...controllers(...types),
      mcp,
      main: (app) =>
        app.useLogger({ error: silent, log: silent, warn: (text: string) => warnings.push(text) }),
    });
    return running;
  };

  it('keeps dotted names by default, with one warning that names the tools and the fix', async () => {
    const { app } = await start({}, TasksController);
    expect(
      app
        .get(McpAdapter)
        .getTools()
        .map(({ name }) => name),
    ).toEqual(['TasksController.findAll', 'Tasks.one', 'listOpen.v2']);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^N1: .*toolNames: 'underscored'.*TasksController\.findAll, Tasks\.one, listOpen\.v2\. /,
      ),
    ]);
  });

  it.each(eras)('writes safe names, which clients of %s list and call', async (era) => {
    const { app, endpoint } = await start({ toolNames: 'underscored' }, TasksController);
    const client = await connectEra(era, endpoint);
    const names = (await client.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['tasks_find_all', 'Tasks.one', 'list_open_v2']);
    expect(textOf(await client.call('tasks_find_all'))).toBe('all');
    await expect(client.call('TasksController.findAll')).rejects.toThrow('Unknown tool');
    await client.close();
    expect(
      app
        .get(McpAdapter)
        .getTools()
        .map(({ name }) => name),
    ).toEqual(names);
    expect(warnings).toEqual([expect.stringMatching(/^N1: .* Found in Tasks\.one\. /)]);
  });

  it('may differ between endpoints', async () => {
    const { app, url } = await start(
      {
        toolNames: 'underscored',
        endpoints: [
          { path: '/mcp/new' },
          { path: '/mcp/old', toolNames: 'dotted' },
          { path: '/mcp/found', search: { pinned: ['tasks_find_all'] } },
        ],
      },
      TasksController,
    );
    const tools = app
      .get(McpAdapter)
      .getEndpoints()
      .map((each) => each.tools[0]);
    expect(tools).toEqual(['tasks_find_all', 'TasksController.findAll', 'tasks_find_all']);
    const client = await connectEra('2026-07-28', `${url}/mcp/old`);
    expect(textOf(await client.call('TasksController.findAll'))).toBe('all');
    await client.close();
    expect(warnings.filter((text) => text.includes('at no endpoint'))).toEqual([]);
  });

  it('stops startup if two tools get one name', async () => {
    const starts = start({ toolNames: 'underscored' }, TasksController, Tasks);
    await expect(starts).rejects.toThrow(DuplicateToolError);
    await expect(starts).rejects.toThrow(
      'Tool "tasks_find_all" is declared by TasksController.findAll and by Tasks.find_all. Give one of them another name',
    );
  });

  it('measures the name that clients get', async () => {
    const long = AnendlesslylongnamewithoutapausebetweenitsmanywordsController;
    await expect(start({}, long)).rejects.toThrow('must have 1 to 64 characters');
    await start({ toolNames: 'underscored' }, long);
  });
});
