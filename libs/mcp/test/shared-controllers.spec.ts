// Controllers that several modules serve.
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConsoleLogger, Controller, Get, Module, Param } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import { McpAdapter, McpPrompt, McpResource, McpTool } from '../src/index.js';
import { type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { platforms } from '../../../test/support/platforms.js';

class Collecting extends ConsoleLogger {
  constructor(private readonly lines: string[]) {
    super();
  }
  override log(message: unknown): void {
    this.lines.push(String(message));
  }
  override warn(message: unknown): void {
    this.lines.push(String(message));
  }
}

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('on $name', ({ name, adapter }) => {
  it('publishes a controller of two modules once, at the first of its paths', async () => {
    @Controller('shared')
    class SharedController {
      @Get(':id')
      @McpTool({ name: 'shared', description: 'Served twice' })
      @McpResource({ uri: 'shared://{id}' })
      @McpPrompt({ name: 'shared', description: 'Served twice' })
      get(@Param('id') id: string) {
        return `shared ${id}`;
      }
    }
    @Module({ controllers: [SharedController] })
    class OneModule {}
    @Module({ controllers: [SharedController] })
    class OtherModule {}
    const routes = [
      { path: 'one', module: OneModule },
      { path: 'other', module: OtherModule },
    ];
    const lines: string[] = [];
    const logger = new Collecting(lines);
    for (const exclude of [[], ['/one/*']]) {
      running = await startApp(adapter(), {
        imports: [OneModule, OtherModule, RouterModule.register(routes)],
        mcp: { mode: 'auto', exclude },
        app: { logger },
      });
      const path = exclude.length === 0 ? '/one/shared/:id' : '/other/shared/:id';
      expect(running.app.get(McpAdapter).getTools()).toEqual([
        expect.objectContaining({ name: 'shared', mountPath: path }),
      ]);
      const client = await running.connect();
      expect(textOf(await client.call('shared', { id: '7' }))).toBe('shared 7');
      await client.leave();
      if (exclude.length === 0) await running.close();
    }
    const told = lines.filter((line) => line.includes('SharedController.get'));
    expect(told).toEqual([
      'SharedController.get is also served at /other/shared/:id. The tool uses /one/shared/:id.',
    ]);
  });

  // Fastify refuses two routes with one path, with and without this package.
  const itOnExpress = name === 'Express' ? it : it.skip;

  itOnExpress('publishes a controller that is listed twice once', async () => {
    @Controller('shared')
    class SharedController {
      @Get()
      @McpTool({ name: 'shared', description: 'Served twice' })
      get() {
        return 'shared';
      }
    }
    @Module({ controllers: [SharedController] })
    class OneModule {}
    const lines: string[] = [];
    running = await startApp(adapter(), {
      imports: [OneModule],
      controllers: [SharedController],
      app: { logger: new Collecting(lines) },
    });
    const client = await running.connect();
    expect(textOf(await client.call('shared'))).toBe('shared');
    await client.leave();
    expect(lines.filter((line) => line.includes('SharedController.get'))).toEqual([]);
  });
});
