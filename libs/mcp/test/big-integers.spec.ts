// Integers of 64 bits reach the route with each digit, or not at all.
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import { ApiParam, ApiProperty, ApiQuery } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional } from 'class-validator';
import { McpPrompt, McpResource, McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { connect, type ConnectedClient, textOf } from './support/clients.js';

@Injectable()
class ParseBigIntPipe implements PipeTransform<string, bigint> {
  transform(value: string): bigint {
    return BigInt(value);
  }
}

class Transfer {
  @ApiProperty({ type: 'integer', format: 'int64' }) @IsInt() amount!: number;
  @ApiProperty({ type: 'integer' }) account!: bigint;
  @ApiProperty({ type: Number, required: false })
  @IsOptional()
  @Transform(({ value }) => (value === undefined ? value : BigInt(value as string)))
  target?: bigint;
}

@Controller('records')
class RecordsController {
  @Get('piped/:id')
  @McpTool({ name: 'piped', description: 'Reads by a bigint' })
  @McpResource({ uri: 'records://{id}', name: 'record' })
  @McpPrompt({ name: 'about', description: 'About a record' })
  piped(@Param('id', ParseBigIntPipe) id: bigint) {
    return `record ${id}`;
  }

  @Get('documented/:id')
  @McpTool({ name: 'documented', description: 'Reads by a documented integer' })
  @ApiParam({ name: 'id', type: 'integer', format: 'int64' })
  @ApiQuery({ name: 'after', type: 'integer', format: 'int64', isArray: true, required: false })
  documented(@Param('id') id: string, @Query('after') after?: string | string[]) {
    return { id, after };
  }

  @Get('number/:id')
  @McpTool({ name: 'number', description: 'Reads by a number' })
  @McpResource({ uri: 'numbers://{id}', name: 'number' })
  number(@Param('id', ParseIntPipe) id: number, @Req() { url }: { url: string }) {
    return `${typeof id} ${url.split('/').at(-1)}`;
  }

  @Get('written/:id')
  @McpTool({
    name: 'written',
    description: 'Written by hand',
    inputSchema: { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } },
  })
  written(@Param('id') id: string) {
    return id;
  }

  @Post()
  @McpTool({ name: 'transfer', description: 'Transfers' })
  transfer(@Body() body: Transfer) {
    return body;
  }
}

const EXACT = '9007199254740993';
const UNSAFE = Number(EXACT);

let running: RunningApp | undefined;
let client: ConnectedClient | undefined;

afterEach(async () => {
  await client?.leave();
  await running?.close();
  client = running = undefined;
});

describe.each(platforms)('on $name', ({ adapter }) => {
  const start = async () => {
    running = await startApp(adapter(), controllers(RecordsController));
    return (client = await connect(running.endpoint));
  };

  it('are published as text with a pattern where the route reads text or a bigint', async () => {
    const { tools } = await (await start()).listTools();
    const published = Object.fromEntries(
      tools.map(({ name, inputSchema }) => [name, inputSchema.properties]),
    );
    const text = { type: 'string', pattern: '^-?[0-9]+$', format: 'int64' };
    expect(published).toEqual({
      piped: { id: text },
      documented: { id: text, after: { type: 'array', items: text } },
      number: { id: { type: 'integer' } },
      written: { id: text },
      transfer: {
        amount: { type: 'integer', format: 'int64' },
        account: text,
        target: { ...text, type: ['string', 'null'] },
      },
    });
  });

  it.each(['piped', 'written'])('keep each digit of a text: %s', async (name) => {
    const { call } = await start();
    expect(textOf(await call(name, { id: EXACT }))).toContain(EXACT);
    expect(textOf(await call(name, { id: 42 }))).toContain('42');
    expect(textOf(await call(name, { id: `-${EXACT}` }))).toContain(`-${EXACT}`);
    const refused = await call(name, { id: UNSAFE });
    expect([refused.isError, textOf(refused)]).toEqual([
      true,
      `Invalid arguments for "${name}": /id is beyond 9007199254740991. Larger JSON numbers lose digits.`,
    ]);
    for (const id of ['9e15', '1.5', 'x', '']) {
      expect(textOf(await call(name, { id }))).toContain('/id must match pattern');
    }
  });

  it('keep each digit in queries, lists and bodies', async () => {
    const { call } = await start();
    const after = [EXACT, 7];
    expect(JSON.parse(textOf(await call('documented', { id: EXACT, after })))).toEqual({
      id: EXACT,
      after: [EXACT, '7'],
    });
    const body = { amount: 5, account: EXACT, target: '6' };
    expect(JSON.parse(textOf(await call('transfer', body)))).toEqual(body);
    expect(textOf(await call('transfer', { ...body, amount: UNSAFE }))).toContain(
      '/amount is beyond 9007199254740991',
    );
    expect(textOf(await call('transfer', { ...body, account: UNSAFE }))).toContain(
      '/account is beyond 9007199254740991',
    );
  });

  it('keep each digit of a resource URI and of a prompt argument', async () => {
    const connected = await start();
    const read = async (uri: string) => {
      const { contents } = await connected.readResource({ uri });
      return contents[0] && 'text' in contents[0] ? contents[0].text : undefined;
    };
    expect(await read(`records://${EXACT}`)).toBe(`record ${EXACT}`);
    expect(await read(`numbers://${EXACT}`)).toBe(`number ${EXACT}`);
    expect(await read('numbers://007')).toBe('number 007');
    await expect(read('numbers://seven')).rejects.toThrow('/id must be integer');
    const { messages } = await connected.getPrompt({ name: 'about', arguments: { id: EXACT } });
    expect(messages[0]?.content).toEqual({ type: 'text', text: `record ${EXACT}` });
  });
});
