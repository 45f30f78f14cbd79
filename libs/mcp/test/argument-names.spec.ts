// Arguments whose names clients reject get other names; requests keep the original ones.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { type McpCallRecord, McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connect, type ConnectedClient, textOf } from './support/clients.js';

@Controller('items')
class ItemsController {
  @Get()
  @McpTool({ name: 'find', description: 'Finds items', redact: ['filter[owner]'] })
  find(
    @Query('page[size]') size: string,
    @Query('filter[owner]') owner: string,
    @Query('ids[]') ids: string | string[],
    @Query('$top') top: string,
    @Query('__proto__') proto: string,
  ) {
    return { size, owner, ids, top, proto };
  }

  @Post()
  @McpTool({
    name: 'create',
    description: 'Creates an item',
    inputSchema: {
      type: 'object',
      properties: { '@type': { type: 'string' }, name: { type: 'string' } },
      required: ['@type'],
    },
  })
  create(@Body() body: object) {
    return body;
  }
}

let running: RunningApp | undefined;
let client: ConnectedClient | undefined;

afterEach(async () => {
  await client?.leave();
  await running?.close();
  client = running = undefined;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  it('are published under names that every client accepts, and sent under their own', async () => {
    const records: McpCallRecord[] = [];
    running = await startApp(adapter(), {
      ...controllers(ItemsController),
      mcp: { audit: { onCall: (record) => void records.push(record), await: true } },
    });
    client = await connect(running.endpoint);
    const { tools } = await client.listTools();
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([
      ['page_size', 'filter_owner', 'ids', 'top', 'proto'],
      ['type', 'name'],
    ]);

    const args = { page_size: 'a', filter_owner: 'b', ids: ['c', 'd'], top: 'e', proto: 'f' };
    expect(JSON.parse(textOf(await client.call('find', args)))).toEqual({
      size: 'a',
      owner: 'b',
      ids: ['c', 'd'],
      top: 'e',
      proto: 'f',
    });
    expect(records[0]?.arguments).toEqual({ ...args, filter_owner: '[redacted]' });
    expect(JSON.parse(textOf(await client.call('create', { type: 'a', name: 'b' })))).toEqual({
      '@type': 'a',
      name: 'b',
    });
    expect(textOf(await client.call('create', { name: 'b' }))).toContain('Missing argument "type"');
    expect(textOf(await client.call('find', { 'page[size]': 'a' }))).toContain(
      'Unknown argument "page[size]"',
    );
  });
});
