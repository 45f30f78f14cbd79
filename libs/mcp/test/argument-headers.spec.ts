// Arguments that clients of 2026-07-28 repeat as headers.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, ParseBoolPipe, ParseIntPipe, Post, Query } from '@nestjs/common';
import { type JsonSchema, McpTool } from '../src/index.js';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra } from './support/eras.js';
import { postModern } from './support/modern-wire.js';

@Controller('shards')
class ShardsController {
  @Get()
  @McpTool({
    name: 'find',
    description: 'Finds rows',
    headers: { region: 'Region', limit: 'Limit', all: 'All' },
  })
  find(
    @Query('region') region: string,
    @Query('limit', ParseIntPipe) limit?: number,
    @Query('all', new ParseBoolPipe({ optional: true })) all?: boolean,
  ) {
    return { region, limit, all };
  }

  @Post()
  @McpTool({
    name: 'store',
    description: 'Stores a row',
    inputSchema: {
      type: 'object',
      properties: {
        place: {
          type: 'object',
          properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } },
        },
      },
    },
  })
  store(@Body() body: object) {
    return body;
  }
}

describe.each(platforms)('headers that repeat arguments, on $name', ({ adapter }) => {
  let running: RunningApp;
  beforeAll(async () => {
    running = await startApp(adapter(), controllers(ShardsController));
  });
  afterAll(() => running.close());

  const call = (args: object, headers: Record<string, string> = {}, name = 'find') =>
    postModern(running.wire, {
      method: 'tools/call',
      params: { name, arguments: args },
      headers,
    });

  it('are named in the input schema', async () => {
    const { message } = await postModern(running.wire, { method: 'tools/list' });
    const [find] = message.result!['tools'] as { inputSchema: { properties: object } }[];
    expect(find?.inputSchema.properties).toMatchObject({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      all: { type: 'boolean', 'x-mcp-header': 'All' },
    });
  });

  it('let a call pass if they agree, encoded or not', async () => {
    const plain = { 'mcp-param-region': 'eu', 'mcp-param-limit': '7', 'mcp-param-all': 'true' };
    expect((await call({ region: 'eu', limit: 7, all: true }, plain)).status).toBe(200);
    expect((await call({ region: 'eu', limit: 7 }, { ...plain, 'mcp-param-all': '' })).status).toBe(
      400,
    );
    for (const [region, header] of [
      ['eu', `=?base64?${Buffer.from('eu').toString('base64')}?=`],
      [' 世界', `=?base64?${Buffer.from(' 世界').toString('base64')}?=`],
      ['=?base64?ZXU=', '=?base64?ZXU='],
    ] as const) {
      const { status, message } = await call(
        { region, limit: 7 },
        { 'mcp-param-region': header, 'mcp-param-limit': '7.0' },
      );
      expect({ status, result: message.result?.['content'] }).toEqual({
        status: 200,
        result: [{ type: 'text', text: JSON.stringify({ region, limit: 7 }) }],
      });
    }
  });

  it.each([
    ['missing', undefined],
    ['of another value', 'us'],
    ['with invalid padding', '=?base64?ZXU?='],
    ['with characters that are no base64', '=?base64?ZX!!U=?='],
    ['that decodes to no text', '=?base64?/w==?='],
  ])('refuse a call if one is %s', async (_what, region) => {
    const headers = { 'mcp-param-limit': '1', ...(region && { 'mcp-param-region': region }) };
    const { status, message } = await call({ region: 'eu', limit: 1 }, headers);
    expect({ status, code: message.error?.code }).toEqual({ status: 400, code: -32020 });
    expect(message.error?.message).toMatch(/^Header mismatch: the header mcp-param-region /);
  });

  it('are refused for arguments that are not sent', async () => {
    const headers = { 'mcp-param-region': 'eu', 'mcp-param-limit': '1', 'mcp-param-all': 'true' };
    const { message } = await call({ region: 'eu', limit: 1 }, headers);
    expect(message.error?.code).toBe(-32020);
  });

  it('are compared for members of objects, and in a later round', async () => {
    const args = { place: { zone: 'a' } };
    expect((await call(args, { 'mcp-param-zone': 'a' }, 'store')).status).toBe(200);
    expect((await call(args, { 'mcp-param-zone': 'b' }, 'store')).status).toBe(400);
    const inRound = (zone: string) =>
      postModern(running.wire, {
        method: 'tools/call',
        params: { name: 'store', arguments: args, inputResponses: {} },
        headers: { 'mcp-param-zone': zone },
      });
    expect((await inRound('b')).message.error?.code).toBe(-32020);
    expect((await inRound('a')).status).toBe(200);
  });

  it('may be missing in a call through a search tool, but must not differ', async () => {
    const searched = await startApp(adapter(), {
      controllers: [ShardsController],
      mcp: { search: true },
    });
    const params = { name: 'read_tool', arguments: { name: 'find', arguments: { region: 'eu' } } };
    const read = (headers: Record<string, string>) =>
      postModern(searched.wire, { method: 'tools/call', params, headers });
    expect((await read({})).status).toBe(200);
    expect((await read({ 'mcp-param-region': 'eu' })).status).toBe(200);
    const { status, message } = await read({ 'mcp-param-region': 'us' });
    expect({ status, code: message.error?.code }).toEqual({ status: 400, code: -32020 });
    await searched.close();
  });

  it('are sent by the official client, and not needed in a session', async () => {
    for (const era of ['2026-07-28', '2025-11-25'] as const) {
      const client = await connectEra(era, running.endpoint);
      await client.client.listTools();
      const result = await client.call('find', { region: 'größer', limit: 3 });
      expect(result.content).toEqual([{ type: 'text', text: '{"region":"größer","limit":3}' }]);
      await client.close();
    }
  });
});

describe('a header that clients would reject', () => {
  const boot = async (headers: Record<string, string>, inputSchema: JsonSchema | null) => {
    @Controller('bad')
    class BadController {
      @Get()
      @McpTool({ name: 'bad', description: 'Bad', headers, ...(inputSchema && { inputSchema }) })
      bad(@Query('region') _region: string, @Query('price') _price: number) {}
    }
    const platform = platforms[0];
    if (!platform) throw new Error('no platform');
    const app = await startApp(platform.adapter(), controllers(BadController));
    await app.close();
  };

  it.each<[string, Record<string, string>, RegExp, JsonSchema | null]>([
    [
      'an unknown argument',
      { regoin: 'Region' },
      /contains the argument "regoin", which does not exist/,
      null,
    ],
    ['a name that is no token', { region: 'The Region' }, /must be a valid header name/, null],
    [
      'a number',
      { price: 'Price' },
      /type must be string, integer or boolean. Its type is "number"/,
      null,
    ],
    [
      'one name for two arguments',
      { region: 'A', limit: 'a' },
      /two arguments use the header/,
      {
        type: 'object',
        properties: { region: { type: 'string' }, limit: { type: 'integer' } },
      },
    ],
    [
      'a list',
      {},
      /inside a list, a \$ref or a composed schema/,
      {
        type: 'object',
        properties: { all: { type: 'array', items: { type: 'string', 'x-mcp-header': 'X' } } },
      },
    ],
  ])('stops the boot: %s', async (_what, headers, error, inputSchema) => {
    await expect(boot(headers, inputSchema)).rejects.toThrow(error);
  });
});
