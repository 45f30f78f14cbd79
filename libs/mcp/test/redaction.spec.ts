// Records and spans of calls without secrets, also where the arguments or the result have another shape than
// their schema says. All shapes: src/schema/redaction.spec.ts.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { McpServer as Server1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer as Server2 } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type McpAdapterOptions, type McpCallRecord, McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { recordSpans } from '../../../test/support/record-spans.js';
import { type RunningApp, startApp } from './support/app.js';
import { connectEra, type EraClient, eras } from './support/eras.js';

class Card {
  @IsString()
  @ApiProperty({ format: 'password' })
  pin!: string;

  @IsString()
  @ApiProperty()
  name!: string;
}

class Wallet {
  @IsString()
  @ApiProperty()
  owner!: string;

  @ValidateNested({ each: true })
  @Type(() => Card)
  @ApiProperty({ type: [Card] })
  cards!: Card[];

  @ValidateNested()
  @Type(() => Card)
  @ApiProperty({ type: Card })
  card!: Card;
}

class Transfer {
  @IsString()
  @ApiProperty()
  iban!: string;

  @IsString()
  @ApiProperty({ format: 'password' })
  code!: string;
}

class Account {
  @ApiProperty()
  iban!: string;

  @ApiProperty()
  code!: string;

  @ApiProperty()
  owner!: string;
}

class Saved {
  @ApiProperty({ type: [Account] })
  accounts!: Account[];
}

const SECRET = { type: 'string', writeOnly: true } as const;

@Controller('wallets')
class WalletsController {
  @Post()
  @McpTool({ name: 'pay', description: 'Pays' })
  pay(@Body() { owner }: Wallet) {
    return { owner };
  }

  @Post('free')
  @McpTool({
    name: 'free',
    description: 'Pays',
    inputSchema: { type: 'object', patternProperties: { '^s_': SECRET } },
  })
  free(@Body() body: object) {
    return Object.keys(body);
  }

  @Post('echo')
  @McpTool({ name: 'echo', description: 'Returns the card' })
  echo(@Body() card: Card) {
    return { saved: card };
  }

  @Post('transfer')
  @ApiCreatedResponse({ type: Saved })
  @McpTool({ name: 'transfer', description: 'Returns the account', redact: ['iban'] })
  transfer(@Body() { iban, code }: Transfer): Saved {
    return { accounts: [{ iban, code, owner: 'Ada' }] };
  }

  @Get('list')
  @McpTool({
    name: 'list',
    description: 'Lists',
    outputSchema: {
      type: 'object',
      properties: {
        cards: { type: 'array', items: { type: 'object', properties: { pin: SECRET } } },
      },
    },
  })
  list() {
    return { cards: { first: { pin: 'hunter2' } } };
  }
}

/** An SDK server whose tool returns a secret, and a secret argument. */
function withSecrets(server: Server1 | Server2): typeof server {
  const secret = z.string().meta({ format: 'password' });
  const config = {
    inputSchema: z.object({ pin: secret }),
    outputSchema: z.object({ token: secret, saved: z.looseObject({ name: z.string() }) }),
  };
  (server as Server2).registerTool('login', config, ({ pin }) => ({
    content: [{ type: 'text', text: pin }],
    structuredContent: { token: 'hunter2', saved: { pin, name: 'Ada' } },
  }));
  return server;
}

const spans = recordSpans();
let running: RunningApp | undefined;
let client: EraClient | undefined;

afterEach(async () => {
  await client?.close();
  await running?.close();
  client = running = undefined;
});

const PIN = { pin: 'hunter2' };

describe.each(platforms)('on $name', ({ adapter }) => {
  describe.each(eras)('for a client of %s', (era) => {
    const start = async (mcp: Partial<McpAdapterOptions> = {}) => {
      const records: McpCallRecord[] = [];
      running = await startApp(adapter(), {
        controllers: [WalletsController],
        mcp: {
          search: true,
          audit: { onCall: (record) => void records.push(record), await: true },
          telemetry: { arguments: true, results: true },
          ...mcp,
        },
      });
      client = await connectEra(era, running.endpoint);
      return { client, records };
    };
    const told = (records: readonly McpCallRecord[]) =>
      JSON.stringify([records, spans.getFinishedSpans().map(({ attributes }) => attributes)]);

    it('arguments of another shape than their schema show no secret', async () => {
      const { client, records } = await start();
      const rejected = [
        { cards: PIN },
        { cards: [[PIN]] },
        { cards: { 0: PIN } },
        { cards: JSON.stringify([PIN]) },
        { cards: JSON.stringify([PIN]).slice(1) },
        { card: [PIN] },
        { card: 'hunter2' },
        { owner: PIN },
      ];
      for (const args of rejected) {
        expect((await client.call('pay', { owner: 'ada', ...args })).isError).toBe(true);
      }
      expect((await client.call('free', { s_x: 'hunter2', s: 1 })).isError).toBe(false);
      expect(records.map(({ arguments: args }) => args)).toEqual([
        { owner: 'ada', cards: '[redacted]' },
        { owner: 'ada', cards: ['[redacted]'] },
        { owner: 'ada', cards: '[redacted]' },
        { owner: 'ada', cards: [{ pin: '[redacted]' }] },
        { owner: 'ada', cards: '[redacted]' },
        { owner: 'ada', card: '[redacted]' },
        { owner: 'ada', card: '[redacted]' },
        { owner: '[redacted]' },
        { s_x: '[redacted]', s: '[redacted]' },
      ]);
      expect(told(records)).not.toContain('hunter2');
    });

    it('rejected values that no secret covers are shown', async () => {
      const { client, records } = await start();
      await client.call('pay', { owner: 5, card: { name: 6 } });
      expect(records[0]?.arguments).toEqual({ owner: 5, card: { name: 6 } });
    });

    it('calls of call_tool that name no tool, or have wrong arguments, show no secret', async () => {
      const { client, records } = await start();
      const nested = { name: 'pay', arguments: { card: PIN } };
      const rejected = [
        { name: 'pay', arguments: JSON.stringify({ card: PIN }) },
        { name: 'pay', arguments: [{ card: PIN }] },
        { name: 'pay', card: PIN },
        { arguments: { card: PIN } },
        { name: { card: PIN } },
        { name: 'call_tool', arguments: nested },
      ];
      for (const args of rejected) {
        expect((await client.call('call_tool', args)).isError).toBe(true);
      }
      await client.call('search_tools', { query: 'pay', pin: 'hunter2' });
      expect(records.map(({ arguments: args }) => args)).toEqual([
        // JSON in a string is parsed, so this is a call of "pay".
        { card: { pin: '[redacted]' } },
        { name: 'pay', arguments: '[redacted]' },
        { name: 'pay', card: '[redacted]' },
        { arguments: '[redacted]' },
        { name: '[redacted]' },
        { name: 'call_tool', arguments: '[redacted]' },
        { query: 'pay', pin: '[redacted]' },
      ]);
      expect(told(records)).not.toContain('hunter2');
    });

    it('a result that repeats a secret argument does not show it', async () => {
      const { client, records } = await start();
      await client.call('echo', { pin: 'hunter2', name: 'Ada' });
      expect(told(records)).toContain(
        '{\\"saved\\":{\\"pin\\":\\"[redacted]\\",\\"name\\":\\"Ada\\"}}',
      );
      expect(told(records)).not.toContain('hunter2');
    });

    it('a result that its schema describes shows no named secret at any depth', async () => {
      const { client, records } = await start({ outputSchemas: 'declared' });
      const result = await client.call('transfer', { iban: 'hunter2', code: 'hunter2' });
      expect(result.structuredContent).toMatchObject({ accounts: [{ iban: 'hunter2' }] });
      expect(told(records)).toContain(
        '{\\"accounts\\":[{\\"iban\\":\\"[redacted]\\",\\"code\\":\\"[redacted]\\",\\"owner\\":\\"Ada\\"}]}',
      );
      expect(told(records)).not.toContain('hunter2');
    });

    it.each([
      ['1.x', Server1],
      ['2.x', Server2],
    ])('a result of an SDK server shows no secret: SDK %s', async (_sdk, Server) => {
      const server = withSecrets(new Server({ name: 'accounts', version: '1.0.0' }));
      const { client, records } = await start({ servers: [server] });
      const { structuredContent } = await client.call('login', { pin: 'hunter2' });
      expect(structuredContent).toMatchObject({ token: 'hunter2' });
      expect(told(records)).toContain('{\\"token\\":\\"[redacted]\\"');
      expect(told(records)).not.toContain('hunter2');
    });

    it('a result of another shape than its schema shows no secret', async () => {
      const { client, records } = await start();
      await client.call('read_tool', { name: 'list' });
      expect(told(records)).toContain('{\\"cards\\":\\"[redacted]\\"}');
      expect(told(records)).not.toContain('hunter2');
    });
  });
});
