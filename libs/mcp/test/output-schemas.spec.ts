// Output schemas derived from routes: strict clients list and call every tool.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { platforms } from '../../../test/support/platforms.js';
import { McpTool } from '../src/publish/decorators/mcp-tool.decorator.js';
import {
  BadController,
  FailingController,
  GoodController,
  SerializedController,
  Task,
  ZodController,
} from './output-routes.js';
import { type RunningApp, startApp } from './support/app.js';
import { connectEra } from './support/eras.js';

interface StrictClient {
  tools(): Promise<readonly Tool[]>;
  call(name: string): Promise<CallToolResult>;
  close(): Promise<unknown>;
}

/** The official clients, which throw if a result does not match the output schema of its tool. */
const clients: [name: string, connect: (endpoint: string) => Promise<StrictClient>][] = [
  ['v1 client', async (endpoint) => strict(await connectEra('2025-11-25', endpoint))],
  ['v2 client of 2026-07-28', async (endpoint) => strict(await connectEra('2026-07-28', endpoint))],
  ['v2 client of 2025-11-25', legacy],
];

function strict(client: Awaited<ReturnType<typeof connectEra>>): StrictClient {
  return {
    tools: async () => (await client.client.listTools()).tools as readonly Tool[],
    call: (name) => client.call(name),
    close: () => client.close(),
  };
}

async function legacy(endpoint: string): Promise<StrictClient> {
  const client = new ModernClient(
    { name: 'spec', version: '1.0.0' },
    { versionNegotiation: { mode: 'legacy' } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)));
  return {
    tools: async () => (await client.listTools()).tools as readonly Tool[],
    call: async (name) => (await client.callTool({ name })) as CallToolResult,
    close: () => client.close(),
  };
}

const CONTROLLERS = [
  GoodController,
  SerializedController,
  ZodController,
  BadController,
  FailingController,
];

const UNDESCRIBED = ['unsaid', 'blocks'];

/** Tools whose answers are sent in another property, because they do not match. */
const MISMATCHED = [
  ...['type', 'listed', 'unlisted', 'bad_record', 'bad_letter', 'unserialized'],
  ...['empty', 'html', 'deep', 'large', 'binary', 'image'],
];

const FAILING = ['missing', 'broken', 'moved', 'slow', 'refused'];

/** Tools whose declared answer is no object. */
const WRAPPED = [
  ...['list', 'tuple', 'union', 'text', 'number', 'nothing', 'content'],
  ...['many', 'either', 'documented', 'tree', 'date', 'dtos', 'listed', 'html', 'image', 'broken'],
];

describe.each(platforms)('declared output schemas on $name', ({ adapter }) => {
  let running: RunningApp;
  afterEach(() => running.close());

  const start = (mcp = {}) =>
    startApp(adapter(), {
      controllers: CONTROLLERS,
      mcp: { outputSchemas: 'declared', limits: { responseBytes: 4096 }, ...mcp },
    });

  it.each(clients)('let a strict client list and call every tool: %s', async (name, connect) => {
    running = await start();
    const client = await connect(running.endpoint);
    const tools = await client.tools();
    const described = tools.filter(({ outputSchema }) => outputSchema !== undefined);
    expect(tools.map((tool) => tool.name).filter((tool) => !UNDESCRIBED.includes(tool))).toEqual(
      described.map((tool) => tool.name),
    );
    for (const tool of tools) {
      const result = await client.call(tool.name);
      const content = result.structuredContent as Record<string, unknown> | undefined;
      if (FAILING.includes(tool.name)) {
        expect(result).toMatchObject({ isError: true, _meta: { 'fledge/error': {} } });
        expect(content).toBeUndefined();
        continue;
      }
      expect(result.isError).toBe(false);
      if (UNDESCRIBED.includes(tool.name)) {
        expect(content).toBeUndefined();
      } else if (MISMATCHED.includes(tool.name)) {
        expect(Object.keys(content ?? {})).toEqual(['body']);
      } else {
        const text = result.content[0]?.type === 'text' ? result.content[0].text : '';
        const isWrapped = WRAPPED.includes(tool.name) && name !== 'v2 client of 2026-07-28';
        const value = isWrapped ? content?.['result'] : content;
        expect([tool.name, value]).toEqual([
          tool.name,
          { text: '123', nothing: null }[tool.name] ??
            (tool.name === 'nothing' ? null : JSON.parse(text)),
        ]);
      }
    }
    await client.close();
  });

  it('send an answer that does not match in the property body, whatever it is', async () => {
    running = await start();
    const client = await connectEra('2026-07-28', running.endpoint);
    const contentOf = async (name: string) => (await client.call(name)).structuredContent;
    expect(await contentOf('type')).toEqual({ body: expect.objectContaining({ id: 'one' }) });
    expect(await contentOf('listed')).toEqual({ body: { data: [] } });
    expect(await contentOf('bad_letter')).toEqual({ body: 'text' });
    expect(await contentOf('empty')).toEqual({ body: null });
    expect(await contentOf('html')).toEqual({ body: '<p>' });
    expect(await contentOf('deep')).toEqual({ body: expect.stringMatching(/^\{"value":\[\[/) });
    expect(await contentOf('large')).toEqual({
      body: expect.stringMatching(/\(cut to the first 4096 of \d+ bytes\)$/),
    });
    expect(await contentOf('binary')).toEqual({
      body: '(binary response left out: application/octet-stream, 3 bytes)',
    });
    expect(await contentOf('image')).toEqual({ body: null });
    await client.close();
  });

  it('come from the first source that declares an answer', async () => {
    running = await start();
    const { client, close } = await connectEra('2026-07-28', running.endpoint);
    const { tools } = await client.listTools();
    const schemaOf = (name: string) =>
      tools.find((tool) => tool.name === name)?.outputSchema as Record<string, object>;
    const item = {
      type: 'object',
      properties: { id: { type: 'number' }, name: { type: 'string' } },
    };
    const body = { type: 'object', properties: { body: {} }, required: ['body'] };
    const required = { ...item, required: ['id'] };
    expect(schemaOf('explicit')).toMatchObject({ required: ['id'], additionalProperties: false });
    expect(schemaOf('one')).toEqual(item);
    expect(schemaOf('many')).toEqual({ anyOf: [{ type: 'array', items: required }, body] });
    expect(schemaOf('either')).toEqual({
      anyOf: [{ anyOf: [required, { type: 'array', items: required }] }, body],
    });
    // The serializer wins over @ApiOkResponse, which says that it is a list.
    expect(schemaOf('documented')).toEqual(schemaOf('many'));
    expect(schemaOf('dto')).toEqual({
      type: 'object',
      properties: {
        id: { type: 'integer' },
        at: { type: 'string', description: 'Format: email.' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    });
    expect(schemaOf('swagger')['properties']).toEqual(schemaOf('dto')['properties']);
    expect(schemaOf('first')['properties']).toEqual({ kind: { type: 'string', enum: ['cat'] } });
    expect(schemaOf('later')['properties']).toEqual({ kind: { type: 'string', enum: ['dog'] } });
    await close();
  });

  it('say of a class what its answers may be, and require and limit nothing', async () => {
    running = await start();
    const client = await connectEra('2025-11-25', running.endpoint);
    const { tools } = await client.client.listTools();
    const schemaOf = (name: string) =>
      tools.find((tool) => tool.name === name)?.outputSchema as Record<string, object>;
    const person = {
      type: 'object',
      properties: {
        email: { type: 'string', description: 'Format: email.' },
        password: { type: 'string', format: 'password' },
        manager: { anyOf: [{ $ref: '#/$defs/Person' }, { type: 'null' }] },
      },
    };
    const task = {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        createdAt: { type: 'string', description: 'Format: date-time.' },
        title: { type: 'string' },
        status: { type: 'string', enum: ['open', 'done'] },
        due: { type: ['string', 'null'], description: 'Format: date-time.' },
        people: { type: 'array', items: { $ref: '#/$defs/Person' } },
        parent: { anyOf: [{ $ref: '#/$defs/Task' }, { type: 'null' }] },
        counts: { type: 'object', additionalProperties: { type: 'number' } },
        big: {},
        label: { type: 'string' },
      },
    };
    expect(schemaOf('class')).toEqual({ ...task, $defs: { Person: person, Task: task } });
    expect(schemaOf('list')).toEqual({
      type: 'object',
      properties: { result: { type: 'array', items: { $ref: '#/$defs/Task' } } },
      $defs: { Person: person, Task: task },
    });
    await client.close();
  });

  it('are off by default, where nothing is derived and answers are sent once', async () => {
    running = await start({ outputSchemas: undefined });
    const client = await connectEra('2025-11-25', running.endpoint);
    const { tools } = await client.client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema).map(({ name }) => name)).toEqual([
      'explicit',
    ]);
    expect((await client.call('class')).structuredContent).toBeUndefined();
    await client.close();
  });
});

@Controller()
class WrongController {
  @Get()
  @McpTool({
    name: 'wrong',
    description: 'wrong',
    outputSchema: { type: 'object', required: ['id'] },
  })
  @ApiOkResponse({ type: Task })
  wrong() {
    return {};
  }
}

// Shows that the clients above are strict: an answer that does not match an explicit schema is sent as it is.
it.each(clients)('the clients of these tests throw at a mismatch: %s', async (_, connect) => {
  const [{ adapter }] = platforms as [(typeof platforms)[0]];
  const running = await startApp(adapter(), { controllers: [WrongController] });
  const client = await connect(running.endpoint);
  await client.tools();
  await expect(client.call('wrong')).rejects.toThrow(/schema/);
  await client.close();
  await running.close();
});
