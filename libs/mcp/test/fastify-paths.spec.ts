// Paths in the syntax of Fastify's router, which path-to-regexp does not parse.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Param } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpAdapter, McpTool, NotARouteError } from '../src/index.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { type ConnectedClient, textOf } from './support/clients.js';

@Controller('items')
class ItemsController {
  @Get('one/:id(^\\d+$)')
  @McpTool({ name: 'one', description: 'One item' })
  one(@Param('id') id: string) {
    return { id };
  }
  @Get('nested/:id(^(a|b)\\)?$)/end')
  @McpTool({ name: 'nested', description: 'A pattern with a group' })
  nested(@Param('id') id: string) {
    return { id };
  }
  @Get('pages/:page?')
  @McpTool({ name: 'pages', description: 'An optional parameter' })
  pages(@Param('page') page?: string) {
    return { page: page ?? 'none' };
  }
  @Get('name::verb')
  @McpTool({ name: 'verb', description: 'A colon' })
  verb() {
    return 'verb';
  }
  @Get('v(1)')
  @McpTool({ name: 'version', description: 'Parentheses' })
  version() {
    return 'version';
  }
}

@Controller('odd')
class OddController {
  @Get(':id(^(a(b(c)))$)') deep() {
    return 'deep';
  }
  @Get('plain') plain() {
    return 'plain';
  }
}

@Controller('odd')
class OddToolController {
  @Get(':id(^(a(b(c)))$)')
  @McpTool({ name: 'deep', description: 'x' })
  deep() {
    return 'deep';
  }
}

let running: RunningApp | undefined;
let client: ConnectedClient | undefined;

afterEach(async () => {
  await client?.leave();
  await running?.close();
  client = running = undefined;
});

describe('on Fastify', () => {
  it.each<[string, object, unknown]>([
    ['one', { id: '7' }, { id: '7' }],
    ['nested', { id: 'a' }, { id: 'a' }],
    ['pages', {}, { page: 'none' }],
    ['pages', { page: '2' }, { page: '2' }],
    ['verb', {}, 'verb'],
    ['version', {}, 'version'],
  ])('calls %s with %j', async (name, args, answer) => {
    running = await startApp(new FastifyAdapter(), controllers(ItemsController));
    client = await running.connect();
    const result = await client.call(name, args as Record<string, unknown>);
    const text = textOf(result);
    expect(typeof answer === 'string' ? text : JSON.parse(text)).toEqual(answer);
    const { tools } = await client.listTools();
    expect(tools.find((tool) => tool.name === 'pages')?.inputSchema.required).toBeUndefined();
  });

  it('leaves the check of the pattern to the route', async () => {
    running = await startApp(new FastifyAdapter(), controllers(ItemsController));
    client = await running.connect();
    expect(await client.call('one', { id: 'x' })).toMatchObject({
      isError: true,
      structuredContent: { error: { status: 404 } },
    });
  });

  it('excludes a route by its own path', async () => {
    running = await startApp(new FastifyAdapter(), {
      ...controllers(ItemsController),
      mcp: { mode: 'auto', exclude: ['/items/one/:id(^\\d+$)'] },
    });
    const names = running.app
      .get(McpAdapter)
      .getTools()
      .map(({ name }) => name);
    expect(names).toEqual(['nested', 'pages', 'verb', 'version']);
  });

  it('starts with a path that it cannot parse, unless the route has a decorator', async () => {
    running = await startApp(new FastifyAdapter(), {
      ...controllers(OddController),
      mcp: { mode: 'auto' },
    });
    expect(running.app.get(McpAdapter).getTools()).toMatchObject([{ mountPath: '/odd/plain' }]);
    const starting = startApp(new FastifyAdapter(), controllers(OddToolController));
    await expect(starting).rejects.toThrow(NotARouteError);
    await expect(starting).rejects.toThrow(
      'OddToolController.deep has @McpTool but has the path /odd/:id(^(a(b(c)))$), which cannot be ' +
        'parsed. Write parameters as :id, and check them with a pipe.',
    );
  });
});
