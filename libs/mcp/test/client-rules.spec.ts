// What tools/list publishes breaks no rule for which a client rejects a request, a server or a tool.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type McpAdapterOptions, McpTool } from '@fledge/mcp';
import { brokenClientRules } from '../../../test/support/client-rules.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { textOf } from './support/clients.js';
import { connectEra, type EraClient, eras } from './support/eras.js';
import { generatedControllers } from './support/generated-routes.js';

const Shape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('circle'), radius: z.number() }),
  z.object({ kind: z.literal('square'), side: z.number(), color: z.string().optional() }),
]);

@Controller('shapes')
class ShapesController {
  @Post()
  @McpTool({ name: 'draw', description: 'Draws a shape', inputSchema: Shape })
  draw(@Body() shape: z.infer<typeof Shape>) {
    return shape;
  }
}

const Order = z.object({ id: z.string() });

@Controller('orders')
class OrdersController {
  @Post()
  @McpTool({
    name: 'orders_create',
    description: 'Creates an order of one article',
    inputSchema: z.object({ article: z.string().describe('Number of the article') }),
    outputSchema: Order,
    select: true,
    confirm: true,
    idempotency: true,
  })
  create(@Body() { article }: { article: string }) {
    return { id: article };
  }
}

@Controller('names')
class NamesController {
  @Get('a')
  @McpTool({ description: 'One' })
  list() {
    return [];
  }
  @Get('b')
  @McpTool({ name: 'tasks_list', description: 'Two' })
  two() {
    return [];
  }
  @Get('c')
  @McpTool({ name: 'tasks-List', description: 'Three' })
  three() {
    return [];
  }
  @Get('d')
  @McpTool({
    name: 'large',
    description: 'Four',
    inputSchema: {
      type: 'object',
      properties: { a: { enum: Array.from({ length: 3_000 }, (_, i) => `value ${i}`) } },
    },
  })
  large() {
    return [];
  }
}

let running: RunningApp | undefined;
let client: EraClient | undefined;
const warnings: string[] = [];

afterEach(async () => {
  await client?.close();
  await running?.close();
  client = running = undefined;
  warnings.length = 0;
});

const silent = () => undefined;
const main: Parameters<typeof startApp>[1]['main'] = (app) =>
  app.useLogger({ error: silent, log: silent, warn: (text: string) => warnings.push(text) });

describe.each(platforms)('on $name', ({ adapter }) => {
  it('holds for 300 generated routes, for clients of each protocol version', async () => {
    running = await startApp(adapter(), {
      ...controllers(...generatedControllers(300)),
      mcp: { mode: 'auto', outputSchemas: 'declared', limits: { listItems: 1_000 } },
      main,
    });
    expect(warnings.filter((text) => text.startsWith('N1: '))).toHaveLength(1);
    const ajv = new Ajv2020({ strict: false, logger: false });
    for (const [i, [era]] of eras.entries()) {
      client = await connectEra(era, running.endpoint);
      const { tools } = await client.client.listTools();
      expect(tools).toHaveLength(300);
      expect(brokenClientRules(tools)).toEqual([]);
      const invalid = tools.filter(({ inputSchema }) => !ajv.validateSchema(inputSchema));
      expect(invalid.map(({ inputSchema }) => inputSchema)).toEqual([]);
      // A schema that does not compile rejects the call. Each client calls its half of the tools.
      const half = tools.filter((_, tool) => tool % eras.length === i);
      const calls = Promise.all(half.map(({ name }) => client!.call(name)));
      await expect(calls).resolves.toHaveLength(150);
      await client.close();
    }
  });

  it('publishes a union as one list of properties, and checks calls by the union', async () => {
    running = await startApp(adapter(), { ...controllers(ShapesController), main });
    client = await connectEra('2025-11-25', running.endpoint);
    const { tools } = await client.client.listTools();
    expect(tools[0]?.inputSchema).toEqual({
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['circle', 'square'] },
        radius: { type: 'number' },
        side: { type: 'number' },
        color: { type: 'string' },
      },
      required: ['kind'],
      additionalProperties: false,
    });
    const circle = { kind: 'circle', radius: 2 };
    expect(JSON.parse(textOf(await client.call('draw', circle)))).toEqual(circle);
    for (const args of [{ kind: 'circle', side: 2 }, { kind: 'square' }, { kind: 'oval' }]) {
      expect((await client.call('draw', args)).isError).toBe(true);
    }
    expect(warnings).toEqual([
      expect.stringContaining('inputSchema of ShapesController.draw has oneOf at its root'),
    ]);
  });

  it('names at startup what clients reject, once for all endpoints that list tools', async () => {
    const endpoints = [
      { path: '/mcp/all' },
      { path: '/mcp/read', include: ['GET'] as const },
      { path: '/mcp/search', search: true },
    ];
    running = await startApp(adapter(), {
      ...controllers(NamesController),
      mcp: { endpoints },
      main,
    });
    expect(warnings).toEqual([
      expect.stringMatching(/^N1: .* Found in NamesController\.list\. /),
      expect.stringMatching(
        /^N6: Some tool names differ only in case .* Found in tasks_list, tasks-List\. /,
      ),
      expect.stringMatching(/^S4: .* more than 16,384 bytes.* Found in large \(\d+ bytes\)\. /),
    ]);
  });

  it('does not warn about the tools of search, which an application cannot change', async () => {
    const pinned = ['tasks_list'];
    const mcp = { check: true, search: { pinned } } satisfies Partial<McpAdapterOptions>;
    running = await startApp(adapter(), { ...controllers(NamesController), mcp, main });
    expect(warnings).toContainEqual(
      expect.stringMatching(/^S15: A tool has no output schema\..* Found in tasks_list\. /),
    );
    expect(warnings.join('\n')).not.toMatch(/search_tools|read_tool/);
    client = await connectEra('2026-07-28', running.endpoint);
    const { tools } = await client.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['tasks_list', 'search_tools', 'read_tool']);
  });

  it('adds no argument that breaks a rule', async () => {
    const mcp = { check: true, writes: {} };
    running = await startApp(adapter(), { ...controllers(OrdersController), mcp, main });
    expect(warnings).toEqual([]);
    client = await connectEra('2026-07-28', running.endpoint);
    const { tools } = await client.client.listTools();
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual([
      'article',
      ...['confirmation', 'idempotencyKey', 'select'],
    ]);
  });

  it('checks the rules of clients on request', async () => {
    const rulesOf = async (check: NonNullable<McpAdapterOptions['check']>) => {
      warnings.length = 0;
      const app = await startApp(adapter(), {
        ...controllers(NamesController),
        mcp: { check },
        main,
      });
      await app.close();
      return warnings.map((text) => text.split(':', 1)[0]);
    };
    expect(await rulesOf(['copilot'])).toEqual(['N1', 'N6']);
    expect(await rulesOf(true)).toEqual(expect.arrayContaining(['N1', 'N6', 'S4', 'S15']));
    expect(await rulesOf(false)).toEqual([]);
    expect(await rulesOf([])).toEqual([]);
    const wrong = startApp(adapter(), { mcp: { check: ['claud'] as never } });
    await expect(wrong).rejects.toThrow('check[0] }) is "claud", but must be \'claude\'');
  });
});
