// In auto mode, routes that @nestjs/swagger leaves out of the API documentation are no tools.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController, ApiExcludeEndpoint } from '@nestjs/swagger';
import { McpAdapter, type McpExposureMode, McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';

@Controller('tasks')
class TasksController {
  @Get() list() {
    return [];
  }
  @Get('internal')
  @ApiExcludeEndpoint()
  internal() {
    return [];
  }
  @Get('shown')
  @ApiExcludeEndpoint(false)
  shown() {
    return [];
  }
  @Get('chosen')
  @ApiExcludeEndpoint()
  @McpTool({ description: 'Published in spite of it' })
  chosen() {
    return [];
  }
}

@Controller('debug')
@ApiExcludeController()
class DebugController {
  @Get() dump() {
    return [];
  }
  @Get('chosen')
  @McpTool({ description: 'Published in spite of it' })
  chosen() {
    return [];
  }
}

@Controller('inherited')
class InheritedController extends DebugController {
  @McpTool({ description: 'Hidden', hidden: true }) @Get('chosen') override chosen() {
    return [];
  }
}

let running: RunningApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  const start = async (mode: McpExposureMode, exclude: string[] = []) => {
    const logged: string[] = [];
    const silent = () => undefined;
    running = await startApp(adapter(), {
      ...controllers(TasksController, DebugController, InheritedController),
      mcp: { mode, exclude, warnUndescribed: false },
      main: (app) =>
        app.useLogger({ error: silent, warn: silent, log: (text: string) => logged.push(text) }),
    });
    const tools = running.app.get(McpAdapter, { strict: false }).getTools();
    return {
      tools: tools.map(({ name }) => name),
      leftOut: logged.filter((text) => text.includes('so they are not tools')),
    };
  };

  it('leaves them out of auto mode, unless they carry @McpTool, and names them', async () => {
    expect(await start('auto')).toEqual({
      tools: [
        'TasksController.list',
        'TasksController.shown',
        'TasksController.chosen',
        'DebugController.chosen',
      ],
      leftOut: [
        '@ApiExcludeEndpoint or @ApiExcludeController excludes these routes, so they are not tools: ' +
          'TasksController.internal, DebugController.dump, InheritedController.dump. To publish a ' +
          'route as a tool, add @McpTool.',
      ],
    });
  });

  it('says nothing of routes that are excluded anyway, nor in explicit mode', async () => {
    const { leftOut } = await start('auto', ['/debug', '/inherited', '/tasks/internal']);
    expect(leftOut).toEqual([]);
    await running?.close();
    expect(await start('explicit')).toEqual({
      tools: ['TasksController.chosen', 'DebugController.chosen'],
      leftOut: [],
    });
  });
});
