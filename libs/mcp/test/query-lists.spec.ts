// Lists in a query arrive as the route documents them, with each item as it was given.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  DefaultValuePipe,
  Get,
  ParseArrayPipe,
  ParseIntPipe,
  Query,
  Req,
} from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connect, type ConnectedClient, textOf } from './support/clients.js';

class SplitPipe {
  transform(text: string | undefined) {
    // As the pipe of a route that is documented as `?tags=a,b`: a list is a TypeError.
    return text?.split(',');
  }
}

@Controller('lists')
class ListsController {
  @Get('tags')
  @McpTool({ name: 'tags', description: 'By tags' })
  @ApiQuery({ name: 'tags', type: [String], explode: false, required: false })
  tags(@Query('tags', new SplitPipe()) tags: string[], @Req() { url }: { url: string }) {
    return { tags, search: url.split('?')[1] };
  }

  @Get('styles')
  @McpTool({ name: 'styles', description: 'By styles' })
  @ApiQuery({ name: 'pipe', type: [Number], style: 'pipeDelimited', required: false })
  @ApiQuery({ name: 'space', type: [String], style: 'spaceDelimited', required: false })
  @ApiQuery({ name: 'both', type: [String], style: 'pipeDelimited', explode: true })
  styles(@Query() query: Record<string, unknown>) {
    return query;
  }

  @Get('written')
  @McpTool({
    name: 'written',
    description: 'Written by hand',
    inputSchema: {
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'string' } } },
    },
  })
  @ApiQuery({ name: 'tags', type: [String], explode: false })
  written(@Query('tags') tags: string) {
    return { tags };
  }

  @Get('names')
  @McpTool({ name: 'names', description: 'By names' })
  names(
    @Query('names', new ParseArrayPipe({ separator: ',', optional: true })) names: string[],
    @Query('codes', new ParseArrayPipe({ separator: ';', optional: true })) codes: string[],
  ) {
    return { names, codes };
  }

  @Get('page')
  @McpTool({ name: 'page', description: 'A page' })
  page(
    @Query('page', ParseIntPipe, new DefaultValuePipe(1)) page: number,
    @Query('size', new DefaultValuePipe(10), ParseIntPipe) size: number,
    @Query('from', new ParseIntPipe({ optional: true }), new DefaultValuePipe(0)) from: number,
  ) {
    return { page, size, from };
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
  const start = async () => {
    running = await startApp(adapter(), controllers(ListsController));
    return (client = await connect(running.endpoint));
  };
  const answer = async (name: string, args: Record<string, unknown>) =>
    JSON.parse(textOf(await client!.call(name, args))) as unknown;

  it('are one text with explode: false, with a plain comma', async () => {
    await start();
    expect(await answer('tags', { tags: ['a', 'b c'] })).toEqual({
      tags: ['a', 'b c'],
      search: 'tags=a,b%20c',
    });
    expect(await answer('tags', { tags: ['a'] })).toMatchObject({ tags: ['a'] });
    expect(await answer('tags', { tags: [] })).toEqual({});
    expect(await answer('written', { tags: ['a', 'b'] })).toEqual({ tags: 'a,b' });
  });

  it('have the separator of their style', async () => {
    await start();
    const args = { pipe: [1, 2], space: ['a', 'b'], both: ['c', 'd'] };
    expect(await answer('styles', args)).toEqual({ pipe: '1|2', space: 'a b', both: ['c', 'd'] });
  });

  it('are refused with an item that the route would split', async () => {
    const { call } = await start();
    const refused = await call('tags', { tags: ['a', 'Doe, John'] });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      'Invalid arguments for "tags": Argument "tags" has the item "Doe, John". The route would read this item as ' +
        'several items, because the route splits the value at ",".',
    ]);
    expect(textOf(await call('names', { names: ['Doe, John'] }))).toContain(
      'Argument "names" has the item "Doe, John"',
    );
    expect(textOf(await call('names', { codes: ['a;b'] }))).toContain('splits the value at ";"');
    expect(await answer('names', { names: ['Doe, John', 'Ada'], codes: ['a,b'] })).toEqual({
      names: ['Doe, John', 'Ada'],
      codes: ['a,b'],
    });
  });

  it('a default behind a pipe that rejects a missing value leaves the argument required', async () => {
    const connected = await start();
    const { tools } = await connected.listTools();
    expect(tools.find(({ name }) => name === 'page')?.inputSchema).toEqual({
      type: 'object',
      properties: {
        page: { type: 'integer' },
        size: { type: 'integer', default: 10 },
        from: { type: 'integer', default: 0 },
      },
      required: ['page'],
      additionalProperties: false,
    });
    expect(await answer('page', { page: 3 })).toEqual({ page: 3, size: 10, from: 0 });
    expect(textOf(await connected.call('page'))).toContain('Missing argument "page"');
  });
});
