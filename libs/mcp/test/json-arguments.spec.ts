// Lists and objects that clients send as JSON in a string.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, ParseArrayPipe, Post, Query } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connectEra, eras } from './support/eras.js';

class Author {
  @IsString() name!: string;
}

class Note {
  @IsString() text!: string;
  @IsString({ each: true }) tags!: string[];
  @ValidateNested() @Type(() => Author) @IsOptional() author?: Author;
}

@Controller()
class NotesController {
  @Post('notes')
  @McpTool({ name: 'save', description: 'Saves a note' })
  save(@Body() note: Note) {
    return note;
  }

  @Get('notes')
  @McpTool({ name: 'find', description: 'Finds notes' })
  find(@Query('tags', new ParseArrayPipe({ items: String })) tags: string[]) {
    return tags;
  }
}

let running: RunningApp;
afterEach(() => running.close());

describe.each(platforms)('arguments as JSON on $name', ({ adapter }) => {
  it.each(eras)('are parsed for a client of %s', async (era) => {
    running = await startApp(adapter(), controllers(NotesController));
    const client = await connectEra(era, running.endpoint);
    const call = async (name: string, args: Record<string, unknown>) => {
      const { content } = await client.call(name, args);
      return (content[0] as { text: string }).text;
    };

    const note = { text: '["a"]', tags: '["a","b"]', author: '{"name":"Ada"}' };
    expect(JSON.parse(await call('save', note))).toEqual({
      text: '["a"]',
      tags: ['a', 'b'],
      author: { name: 'Ada' },
    });
    expect(await call('find', { tags: '["a","b"]' })).toBe('["a","b"]');
    expect(await call('save', { ...note, tags: '["a"' })).toContain('/tags must be array');
    await client.close();
  });
});
