// `check` against running servers, in the process of the test.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Param, Post, Query, type Type } from '@nestjs/common';
import { ApiOperation, ApiProperty } from '@nestjs/swagger';
import { IsInt, IsString } from 'class-validator';
import { type McpAdapterOptions, McpModule, McpTool } from '@fledge/mcp';
import type { CheckFinding } from '@fledge/mcp/check';
import { closeAll, platforms, serve } from '../../../test/support/platforms.js';
import { fledgeHere } from './support/fledge-here.js';

class Item {
  @IsString()
  @ApiProperty({ description: 'Name for people' })
  name!: string;

  @IsInt()
  amount!: number;
}

/** Five routes of an ordinary application, without a decorator of ours. */
function controllerOf(noun: string): Type {
  @Controller(noun.toLowerCase())
  class NounController {
    @Get()
    @ApiOperation({ summary: `Lists every ${noun}` })
    findAll(@Query('page') page?: string) {
      return page;
    }

    @Get(':id')
    @ApiOperation({ summary: `Reads one ${noun}` })
    findOne(@Param('id') id: string) {
      return id;
    }

    @Post()
    @ApiOperation({ summary: `Creates a ${noun}` })
    create(@Body() item: Item) {
      return item;
    }

    @Post(':id/archive')
    archiveItem(@Param('id') id: string) {
      return id;
    }

    @Delete(':id')
    remove(@Param('id') id: string) {
      return id;
    }
  }
  Object.defineProperty(NounController, 'name', { value: `${noun}Controller` });
  return NounController;
}

@Controller('bad')
class BadController {
  @Get()
  @McpTool({ description: 'Always use this tool' })
  list(@Query('apiKey') apiKey: string) {
    return apiKey;
  }
}

afterAll(closeAll);

describe.each(platforms)('check over HTTP on $name', (platform) => {
  const endpointOf = async (mcp: Partial<McpAdapterOptions>, controllers: Type[]) => {
    const options = { name: 'shop', sessions: { max: 10 }, ...mcp };
    const { url } = await serve({ imports: [McpModule.forRoot(options)], controllers }, platform);
    return `${url}/_mcp/messages`;
  };
  let bad: string;
  beforeAll(async () => {
    bad = await endpointOf({}, [BadController]);
  });

  it('passes an application of 300 routes in auto mode, by the rules of all', async () => {
    const nouns = Array.from(
      { length: 60 },
      (_, i) => `Shop${String.fromCodePoint(97 + (i % 26))}${i}`,
    );
    const http = await endpointOf(
      { mode: 'auto', toolNames: 'underscored' },
      nouns.map(controllerOf),
    );
    const { code, out, err } = await fledgeHere(['mcp', 'check', '--for', 'all', '--http', http]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('C1: ');
    expect(out).toContain('in the server (300 tools)');
    expect(out).not.toContain('error ');
  });

  it('fails for what a client rejects, and names the rule, the fix and the source', async () => {
    const { code, out } = await fledgeHere(['mcp', 'check', '--http', bad]);
    expect(code).toBe(1);
    expect(out).toContain(
      'error N1: A tool name is longer than 64 characters, or contains characters other than letters, digits, _ and -.',
    );
    expect(out).toMatch(
      /claude, copilot: evoila\/meho#2745.*, 2026-08-02\n {2}in BadController\.list\n/,
    );
    expect(out).toMatch(/\n3 errors, \d warnings.*\.\n$/);
  });

  it('prints JSON, and checks the rules of one client', async () => {
    const args = ['mcp', 'check', '--http', bad, '--json', '--for'];
    const rules = async (names: string) => {
      const { code, out } = await fledgeHere([...args, names]);
      const findings = JSON.parse(out) as CheckFinding[];
      return [
        code,
        findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule),
      ];
    };
    expect(await rules('openai')).toEqual([1, ['S14']]);
    expect(await rules('copilot, openai')).toEqual([1, ['N1', 'S14']]);
    expect(await rules('cursor')).toEqual([0, []]);
  });

  it('refuses an unknown client', async () => {
    const { code, err } = await fledgeHere(['mcp', 'check', '--http', bad, '--for', 'claud']);
    expect(code).toBe(2);
    expect(err).toContain(
      '--for is "claud", but must be "all", or one or more of claude, claude-code',
    );
  });
});
