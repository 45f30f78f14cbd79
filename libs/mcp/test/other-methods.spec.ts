// In auto mode, routes whose HTTP method no tool call has are no tools, and the log names them.
import { afterEach, describe, expect, it } from '@jest/globals';
import { All, Controller, Get, Head, Search, Sse } from '@nestjs/common';
import { McpAdapter, type McpExposureMode } from '@fledge/mcp';
import { EMPTY } from 'rxjs';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';

@Controller('tasks')
class TasksController {
  @Get() list() {
    return [];
  }
  @All('any') any() {
    return [];
  }
  @Search('found') search() {
    return [];
  }
  @Head('checked') check() {
    return [];
  }
  @Sse('events') events() {
    return EMPTY;
  }
}

@Controller('proxy')
class ProxyController {
  @All() pass() {
    return [];
  }
}

let running: RunningApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe.each(platforms)('routes of other HTTP methods on $name', ({ adapter }) => {
  const start = async (mode: McpExposureMode, exclude: string[] = []) => {
    const logged: string[] = [];
    const silent = () => undefined;
    running = await startApp(adapter(), {
      ...controllers(TasksController, ProxyController),
      mcp: { mode, exclude, warnUndescribed: false },
      main: (app) =>
        app.useLogger({ error: silent, warn: silent, log: (text: string) => logged.push(text) }),
    });
    const tools = running.app.get(McpAdapter, { strict: false }).getTools();
    return {
      tools: tools.map(({ name }) => name),
      said: logged.filter((text) => text.startsWith('These routes are not tools')),
    };
  };

  it('are named with the reason in auto mode, unless they are excluded', async () => {
    expect(await start('auto', ['/proxy'])).toEqual({
      tools: ['TasksController.list'],
      said: [
        'These routes are not tools, because tools support only GET, POST, PUT, PATCH, DELETE, QUERY: ' +
          'TasksController.any (ALL), TasksController.search (SEARCH). To publish a route as a tool, give it @Get(), @Post() or ' +
          'another supported method.',
      ],
    });
  });

  it('are not named in explicit mode', async () => {
    expect(await start('explicit')).toEqual({ tools: [], said: [] });
  });
});
